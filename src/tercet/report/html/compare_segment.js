// One segment, opened: the source, the references and what every system made of it, with marks and all scores.
const openedSegment = (() => {
  "use strict";
  const { printed, signed, element } = comparison;
  const SHOWN = 20_000; // characters of a text before one asks for all of it
  const MATCHES = {
    x: ["l4", "exact"], s: ["l3", "stem"], y: ["l2", "synonym"], p: ["l1", "paraphrase"],
  }; // by the letter of a kind
  const SIGNS = { match: "", substitution: "~", insertion: "+", deletion: "−" };

  /** A text in parts: `parts` are places with a class, what is between them is plain. Neighbours alike become one. */
  function marked(text, parts) {
    const merged = [];
    for (const part of parts) {
      const last = merged.at(-1);
      if (last && last.kind === part.kind && !text.slice(last.end, part.start).trim()) last.end = part.end;
      else merged.push({ ...part });
    }
    const nodes = [];
    let at = 0;
    for (const { start, end, kind } of merged) {
      if (start > at) nodes.push(text.slice(at, start));
      nodes.push(kind ? element("span", { class: kind }, text.slice(start, end)) : text.slice(start, end));
      at = end;
    }
    if (at < text.length) nodes.push(text.slice(at));
    return nodes;
  }

  function plainText(text) {
    if (text.length <= SHOWN) return text ? [text] : [element("span", { class: "nothing" }, "nothing")];
    const rest = element("button", { type: "button" }, `Show all ${text.length} characters`);
    rest.addEventListener("click", () => rest.replaceWith(text.slice(SHOWN)));
    return [text.slice(0, SHOWN), rest];
  }

  const levelled = (words, levels, more = () => "") => words.map((word, i) => (
    { start: word.start, end: word.end, kind: `l${levels[i]}${more(i)}` }));

  /** Which words are found that the other system has not: of several alike, the last ones. */
  function onlyHere(words, levels, other) {
    const theirs = new Map();
    for (const word of other) theirs.set(word.key, (theirs.get(word.key) ?? 0) + 1);
    return words.map((word, i) => {
      const n = theirs.get(word.key) ?? 0;
      theirs.set(word.key, n - 1);
      return levels[i] > 0 && n <= 0;
    });
  }

  // Each way of marking gives the nodes of every reference and of every output, and a legend.
  /** The short name of A or B, whatever its direction. */
  const called = (view, side) => `\u2068${view.data.short[view[side]].slice(0, 40)}\u2069`;

  const KINDS = {
    words(view, { references, outputs }, how) {
      const refs = references.map((text) => marks.words(text, how));
      const own = outputs.map((text) => marks.words(text, how));
      const levels = own.map((words) => marks.wordLevels(words, refs));
      const [inA, inB] = [levels[view.a].references, levels[view.b].references];
      const who = (r, i) => (inA[r][i] ? (inB[r][i] ? "both" : "in-a") : inB[r][i] ? "in-b" : "l0");
      const told = (s) => {
        if (!how.own) return "";
        const n = levels[s].hypothesis.filter(Boolean).length;
        return `${n} of ${own[s].length} words found`;
      };
      return {
        references: refs.map((words, r) => marked(
          references[r], words.map((word, i) => ({ ...word, kind: view.a === view.b ? "" : who(r, i) })))),
        outputs: own.map((words, s) => {
          const rival = s === view.b ? view.a : s === view.a ? view.b : null;
          const only = rival === null ? [] : onlyHere(words, levels[s].hypothesis, own[rival]);
          return marked(outputs[s], levelled(words, levels[s].hypothesis, (i) => (only[i] ? " only" : "")));
        }),
        told,
        legend: [
          ["l0", "missed"], ["l1", "found"], ["l2", "in a 2-gram"], ["l3", "in a 3-gram"], ["l4", "in a 4-gram"],
          ["l2 only", "not in the other of the two"],
          ["in-a", `reference, found by ${called(view, "a")} only`], ["in-b", `by ${called(view, "b")} only`],
          ["both", "by both"],
          ...(how.own ? [] : [["", `words in common, not what ${how.name} itself matched: see tercet explain`]]),
        ],
      };
    },

    matches(view, texts, how, row) {
      const { references, outputs } = texts;
      const all = outputs.map((text, s) => {
        const packed = how.matches?.[s]?.[row];
        return packed ? { best: packed[0], ours: marks.places(packed[1]), theirs: marks.places(packed[2]) } : null;
      });
      if (!all.some(Boolean)) return KINDS.words(view, texts, { ...how, own: false }, row);
      const common = all.every(Boolean) ? null : KINDS.words(view, texts, { ...how, own: false }, row);
      const levelOf = (kind) => MATCHES[kind]?.[0] ?? (kind === "-" ? "l0" : "l2");
      const shown = (text, places, of) => marked(text, places.map((place) => ({ ...place, kind: of(place) })));
      const [a, b] = [all[view.a], all[view.b]];
      const isFound = (own, r, start) => Boolean(own && own.best === r
        && own.theirs.some((place) => place.start === start && place.kind !== "-"));
      const seen = (r, { start }) => {
        const [inA, inB] = [isFound(a, r, start), isFound(b, r, start)];
        return inA ? (inB ? "both" : "in-a") : inB ? "in-b" : "l0";
      };
      const counts = (s) => all[s].ours.filter(({ kind }) => kind !== "-").length;
      const used = new Set(all.flatMap((own) => (own ? own.ours.map(({ kind }) => kind) : [])));
      return {
        references: references.map((text, r) => {
          const own = [a, b].find((side) => side && side.best === r);
          return own && view.a !== view.b ? shown(text, own.theirs, (place) => seen(r, place)) : plainText(text);
        }),
        outputs: all.map((own, s) => (own ? shown(outputs[s], own.ours, ({ kind }) => levelOf(kind)) : common.outputs[s])),
        told: (s) => (all[s] ? `${counts(s)} of ${all[s].ours.length} words matched`
          : `words in common, not ${how.name}’s own matches`),
        legend: [
          ["l0", "not matched"],
          ...Object.entries(MATCHES).filter(([kind]) => used.has(kind)).map(([, key]) => key),
          ...(view.a === view.b ? [] : [
            ["in-a", `reference, matched by ${called(view, "a")} only`], ["in-b", `by ${called(view, "b")} only`],
            ["both", "by both"]]),
        ],
      };
    },

    characters(view, { references, outputs }) {
      const levels = outputs.map((text) => marks.characterLevels(text, references));
      const runsOf = (text, shares) => marks.characterRuns(text, shares).map((run) => (
        { ...run, kind: `l${run.level}` }));
      return {
        references: references.map((text, r) => {
          const { best, reference } = levels[view.b]; // the reference as B is seen against it
          return best === r ? marked(text, runsOf(text, reference)) : [text];
        }),
        outputs: outputs.map((text, s) => marked(text, runsOf(text, levels[s].hypothesis))),
        told: () => "",
        legend: [["l0", "n-grams missed"], ["l1", "\u2002"], ["l2", "\u2002"], ["l3", "\u2002"], ["l4", "found"],
          ["", "(the reference: by B)"]],
      };
    },

    edits(view, { references, outputs }, how, row) {
      const refs = references.map((text) => marks.words(text, how));
      const all = outputs.map((text, s) => {
        const words = marks.words(text, how);
        const packed = how.scripts?.[s]?.[row];
        const own = packed ? marks.unpacked(packed, words.length, refs.map((each) => each.length)) : null;
        return { words, own, ...(own ?? fewest(words, refs)) };
      });
      return {
        references: references.map((text) => plainText(text)),
        outputs: all.map(({ words, steps, best, moved }, s) => (
          steps ? [stepsOf(outputs[s], words, references[best], refs[best], steps, moved)] : plainText(outputs[s]))),
        told: (s) => (all[s].own ? editsTold(all[s].own) : all[s].steps ? `edits by words, not ${how.name}’s own` : ""),
        legend: [["l0", "− to delete, + to insert"], ["sub", "~ to replace"],
          ["", "above the output, below the reference; words with the same small number are shifted together"],
          ...(all.every(({ own }) => own) ? [] : [
            ["", `edits by words know no shifts, and may be more than ${how.name} counts: see tercet explain`]])],
      };
    },

    pair(view, { references, outputs }) {
      const own = outputs.map((text) => marks.words(text));
      const [a, b] = [own[view.a], own[view.b]];
      const steps = marks.edits(a, b, 2) ?? [];
      const same = { [view.a]: new Set(), [view.b]: new Set() };
      for (const step of steps) {
        if (step.kind !== "match") continue;
        same[view.a].add(step.ours);
        same[view.b].add(step.theirs);
      }
      return {
        references: references.map((text) => plainText(text)),
        outputs: outputs.map((text, s) => (s in same
          ? marked(text, own[s].map((word, i) => ({ ...word, kind: same[s].has(i) ? "" : "sub" })))
          : plainText(text))),
        told: () => "",
        legend: [["sub", `${called(view, "a")} and ${called(view, "b")} differ`]],
      };
    },

    none: (view, { references, outputs }) => (
      { references: references.map(plainText), outputs: outputs.map(plainText), told: () => "", legend: [] }),
  };

  /** The edits that the page finds by itself, against the reference that needs the fewest a word. */
  function fewest(words, refs) {
    const cost = (steps) => steps.filter((step) => step.kind !== "match").length;
    const scripts = refs.map((theirs) => marks.edits(words, theirs));
    const known = scripts.map((steps, r) => [steps ? cost(steps) / Math.max(1, refs[r].length) : Infinity, r]);
    const [, best] = known.reduce((x, y) => (y[0] < x[0] ? y : x), [Infinity, 0]);
    return { steps: scripts[best], best };
  }

  function editsTold({ steps, shifts }) {
    const count = (kind) => steps.filter((step) => step.kind === kind).length;
    const names = { substitution: "replaced", deletion: "too many", insertion: "missing" };
    const found = [...Object.entries(names).map(([kind, name]) => [count(kind), name]), [shifts, "shifted"]];
    const told = found.filter(([n]) => n);
    if (!told.length) return "no edits";
    const sum = told.reduce((total, [n]) => total + n, 0);
    return `${sum} ${sum === 1 ? "edit" : "edits"}: ${told.map(([n, name]) => `${n} ${name}`).join(", ")}`;
  }

  // What `dir="auto"` does not do here: it passes over names in <bdi>, and hears the names of the edits.
  const RIGHT_TO_LEFT = /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
  const direction = (text) => (RIGHT_TO_LEFT.test(text) ? "rtl" : "ltr");

  function stepsOf(text, words, reference, theirs, steps, moved = new Map()) {
    const piece = (whole, word) => element("bdi", {}, word ? whole.slice(word.start, word.end) : "\u2002");
    const nodes = steps.map(({ kind, ours, theirs: j }) => element(
      "span", { class: kind, role: "listitem" },
      element("i", {}, ...(SIGNS[kind] ? [
        element("span", { "aria-hidden": "true" }, SIGNS[kind]), element("span", { class: "heard" }, kind),
      ] : [])),
      element("span", {}, piece(text, words[ours]), moved.has(ours) ? element("sup", {}, moved.get(ours)) : null),
      piece(reference, kind === "match" ? undefined : theirs[j]),
    ));
    return element("span", { class: "steps", role: "list", dir: direction(text || reference) }, ...nodes);
  }

  /** The ways of marking that the metrics of this comparison ask for. */
  function choices(data) {
    const titles = {
      words: "n-grams of words", characters: "n-grams of characters", edits: "edits", matches: "its matches",
    };
    const title = (metric) => (metric.own ? titles[metric.marks] : "words in common");
    const own = data.metrics.map((metric) => [metric.name, `${metric.name}: ${title(metric)}`]);
    return [...own, ["pair", "A against B"], ["none", "none"]];
  }

  function made(view, row) {
    const { data, state } = view;
    const texts = view.texts(row);
    const chosen = state.marks ?? view.metric.name;
    const metric = data.metrics.find((each) => each.name === chosen) ?? view.metric;
    const kind = ["pair", "none"].includes(chosen) ? chosen : metric.marks;
    const short = marks.isShort(...texts.references, ...texts.outputs);
    const unmarked = !texts.references.length && kind !== "pair";
    return KINDS[short && !unmarked ? kind : "none"](view, texts, metric, row);
  }

  const label = (text, name) => element("p", { class: "label" }, text, name ? element("bdi", {}, name) : null);

  function output(view, row, system, drawn) {
    const { data } = view;
    const figures = data.metrics.map((metric, m) => {
      const shown = printed(view.score(system, row, m), metric.digits);
      const isB = system === view.b && view.a !== view.b;
      const difference = isB ? ` (${signed(view.difference(row, m), metric.digits)})` : "";
      return element("span", {}, element("bdi", {}, metric.name), ` ${metric.up ? "↑" : "↓"} `,
        element("b", {}, shown), difference);
    });
    const chosen = system === view.a || system === view.b;
    return element(
      "section", { class: `output${chosen ? " chosen" : ""}` },
      element("h3", {},
        element("span", { class: `system ${data.colours[system]}`, title: data.systems[system].slice(0, 500) },
          element("bdi", {}, data.short[system].slice(0, 100)))),
      element("p", { class: "figures" }, ...figures, drawn.told(system) ? element("span", {}, drawn.told(system)) : null),
      element("p", { class: "text", dir: "auto" }, ...drawn.outputs[system]),
    );
  }

  /** Everything of a segment, as nodes. A and B stand first, the others best first. */
  function content(view, row) {
    const { data } = view;
    const { source, references } = view.texts(row);
    const drawn = made(view, row);
    const others = [...data.systems.keys()].filter((s) => s !== view.a && s !== view.b);
    others.sort((x, y) => view.goodness(y, row) - view.goodness(x, row) || x - y);
    const first = view.a === view.b ? [view.a] : [view.a, view.b];
    const nodes = [];
    if (source !== null) nodes.push(label("source"), element("p", { class: "text", dir: "auto" }, ...plainText(source)));
    references.forEach((_, r) => nodes.push(
      label(references.length > 1 ? `reference ${r + 1} ` : "reference", data.references[r]),
      element("p", { class: "text", dir: "auto" }, ...drawn.references[r])));
    nodes.push(...first.map((s) => output(view, row, s, drawn)));
    if (others.length) {
      nodes.push(element("details", { open: "" }, element("summary", {}, others.length > 1 ? `${others.length} other systems, by ` : "1 other system, by ",
        element("bdi", {}, view.metric.name)), ...others.map((s) => output(view, row, s, drawn))));
    }
    const keys = drawn.legend.map(([kind, told]) => element("span", { class: kind }, told));
    return { nodes, legend: keys.flatMap((key) => [key, " "]) };
  }

  return { content, choices };
})();
