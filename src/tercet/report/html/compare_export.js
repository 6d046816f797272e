// The segments that are shown as a file: a test set that Tercet reads again, or a table with all scores.
const exported = (() => {
  "use strict";
  const { printed } = comparison;

  const oneLine = (text) => text.replace(/[\t\n\r]/g, " ");

  /** A cell that a spreadsheet shows and does not compute, quoted where it must be; as tercet/escaping.py does it. */
  function csvCell(text) {
    const safe = /^[=@+\-\t\r\n＝＋－＠]/.test(text) && !/^[+-][\d.,]*\d$/.test(text) ? `'${text}` : text;
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  }

  /** The columns of texts: name, and the cell of a segment. */
  function textColumns({ data }) {
    const [source, references] = data.texts[0] ?? [null, []];
    const facets = data.facets.map(({ name, values, of }, i) => (
      [i === 0 && name === "document" ? name : `facet:${name}`, (row) => values[of[row]]]));
    const named = (r) => (references.length > 1 ? `reference:${data.references[r] || r + 1}` : "reference");
    return [
      ["segment", (row) => data.segments[row]],
      ...facets,
      ...(source === null ? [] : [["source", (row) => data.texts[row][0]]]),
      ...references.map((_, r) => [named(r), (row) => data.texts[row][1][r] ?? ""]),
      ...data.systems.map((system, s) => [system, (row) => data.texts[row][2][s]]),
    ];
  }

  function scoreColumns({ data }) {
    return data.metrics.flatMap(({ name, digits }, m) => data.systems.map((system, s) => (
      [`${name} of ${system}`, (row) => printed(data.scores[m][s][row], digits).replace("−", "-")])));
  }

  const table = (columns, rows, cell, gap) => [
    columns.map(([title]) => cell(title)).join(gap),
    ...rows.map((row) => columns.map(([, of]) => cell(of(row))).join(gap)),
  ].join("\n").concat("\n");

  const testset = (view, rows) => table(textColumns(view), rows, oneLine, "\t");

  const scores = (view, rows) => table([...textColumns(view), ...scoreColumns(view)], rows, csvCell, ",");

  function save(text, file, type) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
    link.download = file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  return { testset, scores, save };
})();
