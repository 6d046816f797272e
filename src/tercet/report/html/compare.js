// The segments of a comparison: their data, what the reader chose, and which segments that leaves in which order.
// What was chosen stands in the address, so that a link says it all and the back button takes it back. All text goes in
// as textContent: outputs stay outputs.
const comparison = (() => {
  "use strict";

  /** The data come deflated: the outputs of one segment are much alike, and a page is sent by mail. */
  async function inflated(node) {
    const letters = atob(node.textContent);
    const bytes = new Uint8Array(letters.length);
    for (let i = 0; i < letters.length; i += 1) bytes[i] = letters.charCodeAt(i);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }

  const SPECIAL = { inf: Infinity, "-inf": -Infinity };
  const NA = "n/a";

  // Numbers are written as tercet/numbers.py writes them.

  /** A score is a whole number of its last digit, null where it is not defined, or what was printed instead. */
  const valueOf = (score) => (typeof score === "string" ? SPECIAL[score] ?? 0 : score ?? NaN);

  function printed(score, digits) {
    if (score === null) return NA;
    const text = typeof score === "string" ? score : (score / 10 ** digits).toFixed(digits);
    return text.replace("-", "−");
  }

  function signed(value, digits) {
    if (Number.isNaN(value)) return NA;
    const text = Number.isFinite(value) ? (Math.abs(value) / 10 ** digits).toFixed(digits) : "inf";
    return `${value > 0 ? "+" : value < 0 ? "−" : ""}${text}`;
  }

  // By what segments are sorted: each gives a number for a segment, the largest comes first.
  const SORTS = {
    change: (view, row) => Math.abs(view.gain(row)),
    gain: (view, row) => view.gain(row),
    loss: (view, row) => -view.gain(row),
    "b-best": (view, row) => view.goodness(view.b, row),
    "b-worst": (view, row) => -view.goodness(view.b, row),
    "a-best": (view, row) => view.goodness(view.a, row),
    "a-worst": (view, row) => -view.goodness(view.a, row),
    spread: (view, row) => view.spread(row),
    long: (view, row) => view.length(row),
    short: (view, row) => -view.length(row),
    order: null,
  };

  /** The data as the reader looks at them: two systems, one metric, an order, and what is left out. */
  class View {
    constructor(data, state) {
      this.data = data;
      this.state = state;
      const find = (names, name, other) => (names.includes(name) ? names.indexOf(name) : other);
      this.a = find(data.systems, state.a, data.a);
      this.b = find(data.systems, state.b, data.b);
      this.m = find(data.metrics.map((metric) => metric.name), state.metric, 0);
      this.metric = data.metrics[this.m];
      this.sort = state.sort in SORTS ? state.sort : "change";
    }

    score(system, row, m = this.m) { return this.data.scores[m][system][row]; }

    goodness(system, row) { return valueOf(this.score(system, row)) * (this.metric.up ? 1 : -1); }

    /** B minus A, as it is printed. */
    difference(row, m = this.m) { return valueOf(this.score(this.b, row, m)) - valueOf(this.score(this.a, row, m)); }

    /** By how much B is better. */
    gain(row) { return this.difference(row) * (this.metric.up ? 1 : -1); }

    spread(row) {
      const all = this.data.systems.map((_, system) => valueOf(this.score(system, row)));
      return Math.max(...all) - Math.min(...all);
    }

    length(row) { const { source, references } = this.texts(row); return (references[0] ?? source ?? "").length; }

    /** What the chosen finding speaks of in a segment: its n-grams and words, those of the segment alone among them. */
    words(row) {
      const set = this.data.sets[this.state.set];
      return set ? [...(set.words ?? []), ...(set.by_row?.[row] ?? [])] : [];
    }

    texts(row) {
      const [source, references, outputs] = this.data.texts[row];
      return { source, references, outputs };
    }

    has(row) {
      const { state, data } = this;
      if (state.win) {
        const gain = this.gain(row);
        if (!{ a: gain < 0, b: gain > 0, tie: gain === 0 }[state.win]) return false;
      }
      for (const [i, facet] of data.facets.entries()) {
        const wanted = state[`f.${i}`];
        if (wanted && facet.values[facet.of[row]] !== wanted) return false;
      }
      if (state.bucket) {
        const [cut, bucket] = state.bucket.split(".").map(Number);
        if (data.buckets[cut]?.of[row] !== bucket) return false;
      }
      return !state.q || this.holds(row, state.q.toLowerCase());
    }

    holds(row, wanted) {
      const { source, references, outputs } = this.texts(row);
      if (this.data.segments[row].toLowerCase() === wanted) return true;
      return [source ?? "", ...references, ...outputs].some((text) => text.toLowerCase().includes(wanted));
    }

    /** The segments that are left, in their order; those without a number come last. */
    rows() {
      const set = this.data.sets[this.state.set];
      const kept = (set ? set.rows : [...this.data.segments.keys()]).filter((row) => this.has(row));
      const key = SORTS[this.sort];
      if (!key) return kept.sort((x, y) => x - y);
      const keys = new Map(kept.map((row) => [row, key(this, row)]));
      const last = (row) => (Number.isNaN(keys.get(row)) ? 1 : 0);
      return kept.sort((x, y) => last(x) - last(y) || (last(x) ? 0 : keys.get(y) - keys.get(x)) || x - y);
    }
  }

  // --- The address. What is as at the start is left out of it. ---
  const START = { sort: "change" };

  function read(hash) {
    const state = { ...START };
    for (const [key, value] of new URLSearchParams(hash.replace(/^#/, ""))) state[key] = value;
    return state;
  }

  function address(state) {
    const pairs = Object.entries(state).filter(([key, value]) => value && value !== START[key]);
    return `#${new URLSearchParams(pairs)}`;
  }

  /** Anchors of sections are no choice of segments. */
  const isState = (hash) => hash === "" || hash === "#" || hash.includes("=");

  // --- Elements. ---
  function element(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) if (value !== null) node.setAttribute(key, value);
    node.append(...children.filter((child) => child !== null));
    return node;
  }

  return { inflated, printed, signed, valueOf, View, SORTS, read, address, isState, element };
})();
