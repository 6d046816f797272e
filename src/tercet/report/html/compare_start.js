// The segment browser comes to life: controls, list, the opened segment, and the address that ties them together.
(async () => {
  "use strict";
  const { inflated, View, read, address, isState, element } = comparison;
  const $ = (id) => document.getElementById(id);
  const browser = $("browser");
  if (!browser) return;
  const data = await inflated($("segments-data"));
  const list = new segmentList.List($("list"));
  const dialog = $("segment");
  const controls = ["q", "a", "b", "metric", "sort", "win", "bucket", "set", ...data.facets.map((_, i) => `f.${i}`)];
  let state = read(isState(location.hash) ? location.hash : "");
  let view = new View(data, state);
  let shown = null; // what the list shows, to tell whether it must change
  let rows = [];

  // --- Controls. ---
  const option = (value, text) => element("option", { value }, text);
  const short = (text) => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

  function fill(id, pairs) {
    $(id).replaceChildren(...pairs.map(([value, text]) => option(value, short(text))));
  }

  function grouped(id, all, groups) {
    $(id).replaceChildren(option("", all), ...groups.map(({ name, pairs }) => element(
      "optgroup", { label: short(name) }, ...pairs.map(([value, text]) => option(value, short(text))))));
    $(id).closest("label").hidden = !groups.length;
  }

  function setUpControls() {
    const names = data.systems.map((name, s) => [name, data.short[s]]);
    fill("a", names);
    fill("b", names);
    fill("metric", data.metrics.map(({ name }) => [name, name]));
    fill("marks", openedSegment.choices(data));
    data.facets.forEach(({ name, values }, i) => {
      const select = element("select", { id: `f.${i}` });
      $("win").closest("label").after(element("label", {}, element("bdi", {}, short(name)), " ", select));
      fill(`f.${i}`, [["", "all"], ...values.map((value) => [value, value])]);
    });
    grouped("bucket", "all", data.buckets.map(({ name, labels }, i) => (
      { name, pairs: labels.map((label, j) => [`${i}.${j}`, label]) })));
    for (const id of controls) $(id).addEventListener(id === "q" ? "input" : "change", () => choose(id, $(id).value));
    $("marks").addEventListener("change", () => choose("marks", $("marks").value));
    $("clear").addEventListener("click", () => {
      const { a, b, metric, sort } = state;
      go({ a, b, metric, sort }, "replace");
    });
    $("save-testset").addEventListener("click", () => (
      exported.save(exported.testset(view, rows), "segments.tsv", "text/tab-separated-values")));
    $("save-scores").addEventListener("click", () => (
      exported.save(exported.scores(view, rows), "segments.csv", "text/csv")));
    $("controls").addEventListener("submit", (event) => event.preventDefault());
  }

  function nameSorts() {
    const [a, b] = [data.short[view.a], data.short[view.b]].map((name) => `\u2068${short(name)}\u2069`);
    const titles = {
      change: "largest difference first", gain: `gains of ${b} first`, loss: `losses of ${b} first`,
      "b-best": `best of ${b} first`, "b-worst": `worst of ${b} first`,
      "a-best": `best of ${a} first`, "a-worst": `worst of ${a} first`,
      spread: "systems differ most first", long: "longest first", short: "shortest first",
      order: "order of the test set",
    };
    fill("sort", Object.entries(titles));
    fill("win", [["", "all"], ["b", `${b} better`], ["a", `${a} better`], ["tie", "ties"]]);
  }

  /** Findings and faults, and what a link has led to; thousands of n-grams are no choice. */
  function nameSets() {
    const groups = new Map();
    for (const [id, { group, title }] of Object.entries(data.sets)) {
      if (!/^[fct]/.test(id) && id !== state.set) continue;
      groups.set(group, [...(groups.get(group) ?? []), [id, title]]);
    }
    grouped("set", "all", [...groups].map(([name, pairs]) => ({ name, pairs })));
  }

  /** What leaves segments out, each with a button that takes it back: the finding foremost, which tells why. */
  function chips() {
    const { set, bucket, win, q } = state;
    const [cut, part] = (bucket ?? "").split(".").map(Number);
    const winner = { a: data.short[view.a], b: data.short[view.b] }[win];
    return [
      ["set", data.sets[set] && (/^f/.test(set) ? data.sets[set].title : `${data.sets[set].group}: ${data.sets[set].title}`)],
      ["bucket", bucket && data.buckets[cut] && `${data.buckets[cut].name}: ${data.buckets[cut].labels[part] ?? ""}`],
      ...data.facets.map(({ name }, i) => [`f.${i}`, state[`f.${i}`] && `${name}: ${state[`f.${i}`]}`]),
      ["win", win && (winner ? `\u2068${winner}\u2069 better` : "ties")],
      ["q", q && `“\u2068${q.slice(0, 60)}\u2069”`],
    ].filter(([, told]) => told);
  }

  function updateChips() {
    const chosen = chips();
    $("chosen").hidden = !chosen.length;
    $("chosen").replaceChildren(...chosen.map(([key, told]) => {
      const off = element("button", { type: "button", "aria-label": `Remove: ${told.slice(0, 200)}` }, "×");
      off.addEventListener("click", () => {
        choose(key, "");
        ($("chosen").querySelector("button") ?? $("q")).focus();
      });
      return element("li", { class: key === "set" ? "finding" : null }, element("span", { dir: "auto" }, told), off);
    }));
    const told = data.sets[state.set]?.title ?? "";
    $("segment-finding").hidden = !told;
    $("segment-finding").textContent = told;
  }

  /** A and B have the colours of their systems, wherever they are marked. */
  function updateColours() {
    for (const [key, system] of [["--a", view.a], ["--b", view.b]]) {
      document.documentElement.style.setProperty(key, `var(--${data.colours[system].split(" ")[0]})`);
    }
  }

  function updateControls() {
    updateChips();
    updateColours();
    nameSorts();
    if (document.activeElement !== $("set")) nameSets();
    const values = {
      ...state, a: data.systems[view.a], b: data.systems[view.b], metric: view.metric.name, sort: view.sort,
      marks: state.marks ?? view.metric.name,
    };
    for (const id of [...controls, "marks"]) if (document.activeElement !== $(id)) $(id).value = values[id] ?? "";
    const narrowed = ["q", "win", "bucket", "set", ...data.facets.map((_, i) => `f.${i}`)].some((key) => state[key]);
    $("clear").hidden = !narrowed;
  }

  // --- The address. Choosing replaces it, opening a segment or following a link adds to the history. ---
  function note(way, next) {
    // A page inside a notebook has no address of its own; it works without.
    try {
      if (way === "push") history.pushState({ ours: true }, "", next);
      else history.replaceState(history.state, "", next);
    } catch { /* nothing to be noted */ }
  }

  function go(next, way) {
    state = next;
    if (way) note(way, address(state));
    update();
  }

  function choose(key, value) { go({ ...state, [key]: value }, "replace"); }

  function update() {
    view = new View(data, state);
    updateControls();
    const wanted = address({ ...state, seg: "", marks: "" });
    if (wanted !== shown) {
      shown = wanted;
      rows = view.rows();
      list.show(view, rows);
      const of = rows.length === data.segments.length ? "" : ` of ${data.segments.length}`;
      $("count").textContent = `${rows.length}${of} segments`;
    }
    const row = state.seg === undefined || state.seg === "" ? -1 : data.segments.indexOf(state.seg);
    if (row >= 0) open(row);
    else if (dialog.open) dialog.close();
  }

  // --- The opened segment. ---
  function open(row) {
    const place = rows.indexOf(row);
    const { nodes, legend } = openedSegment.content(view, row);
    const facts = data.facets.map(({ name, values, of }) => `${short(name)}: \u2068${short(values[of[row]])}\u2069`);
    $("segment-title").replaceChildren("Segment ", element("bdi", {}, data.segments[row].slice(0, 60)));
    $("segment-facts").textContent = facts.join(" · ");
    $("segment-place").textContent = place < 0 ? "not in the list" : `${place + 1} of ${rows.length}`;
    $("segment-text").replaceChildren(...nodes);
    $("segment-legend").replaceChildren(...legend);
    $("previous").disabled = place <= 0;
    $("next").disabled = place < 0 || place + 1 >= rows.length;
    $("link").hidden = true;
    if (place >= 0) list.go(place, false);
    if (!dialog.open) {
      dialog.showModal();
      browser.scrollIntoView({ block: "nearest" });
    }
    $("segment-scroll").scrollTop = 0;
  }

  function step(by) {
    const place = rows.indexOf(data.segments.indexOf(state.seg)) + by;
    if (rows[place] !== undefined) go({ ...state, seg: data.segments[rows[place]] }, "replace");
  }

  /** Back to where the segment was opened from; to the same page without it, if it was opened by a link. */
  function closed() {
    if (!state.seg) return;
    const row = data.segments.indexOf(state.seg);
    state = { ...state, seg: "" };
    if (history.state?.ours) history.back();
    else note("replace", address(state));
    const place = rows.indexOf(row);
    if (place >= 0) list.go(place);
  }

  async function copy() {
    const link = location.href;
    try {
      await navigator.clipboard.writeText(link);
      $("copied").textContent = "Copied";
    } catch {
      Object.assign($("link"), { value: link, hidden: false });
      $("link").select();
      $("copied").textContent = "Copy it from here";
    }
    setTimeout(() => { $("copied").textContent = ""; }, 4000);
  }

  function setUpDialog() {
    dialog.addEventListener("close", closed);
    $("close").addEventListener("click", () => dialog.close());
    $("previous").addEventListener("click", () => step(-1));
    $("next").addEventListener("click", () => step(1));
    $("copy").addEventListener("click", copy);
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
    dialog.addEventListener("keydown", (event) => {
      if (event.target.closest("select, input")) return;
      if (event.key === "ArrowLeft") step(-1);
      else if (event.key === "ArrowRight") step(1);
    });
  }

  // Links to segments, wherever they stand: a set of segments shows itself in the list, one segment opens.
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href^='#']");
    const hash = link?.getAttribute("href") ?? "";
    if (!hash.includes("=") || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    const next = read(hash);
    go(next, "push");
    if (!next.seg) {
      $("segments").scrollIntoView();
      $("list").querySelector("a")?.focus({ preventScroll: true });
    }
  });
  addEventListener("hashchange", () => { if (isState(location.hash)) go(read(location.hash)); });

  setUpControls();
  setUpDialog();
  browser.hidden = false;
  $("loading").hidden = true;
  update();
  if (location.hash.includes("=") && !state.seg) $("segments").scrollIntoView();
})();
