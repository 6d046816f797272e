// The list of segments: only the rows in sight, and a few around them, are in the page. One stop for the tabulator;
// arrows go from row to row.
const segmentList = (() => {
  "use strict";
  const { printed, signed, address, element } = comparison;
  const AROUND = 6; // rows above and below those in sight
  const SNIPPET = 300; // characters of a text; more does not fit on a line
  const LONGEST = 2_000; // characters of an output in which differences are looked for

  const LETTER = 8.2; // pixels of one, about
  const LABEL = 16; // letters of a system's name before its line
  const LONG_WORD = 20; // letters; words of scripts without spaces are longer

  /** Where each of some phrases stands by itself in a text, as [start, end]; in their case, as they are counted. */
  function phrases(text, wanted) {
    const isWord = (letter) => letter !== undefined && /[\p{L}\p{N}]/u.test(letter);
    const isSpaceless = (letter) => /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}/u.test(letter);
    const found = [];
    for (const phrase of wanted) {
      // The words of a phrase are parted by spaces; in the text, signs may stick to them.
      const words = phrase.split(/\s+/).filter(Boolean).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
      if (!words.length) continue;
      for (const { 0: piece, index } of text.matchAll(new RegExp(words.join("\\s*"), "gu"))) {
        const end = index + piece.length;
        const goesOn = (inner, outer) => isWord(inner) && isWord(outer) && !isSpaceless(inner);
        if (!goesOn(piece.at(0), text[index - 1]) && !goesOn(piece.at(-1), text[end])) found.push([index, end]);
      }
    }
    return found;
  }

  /** The short name of A or B, in its colour. */
  const tag = (view, side) => element(
    "i", { class: `of-${side}-tag`, title: view.data.systems[view[side]].slice(0, 500) },
    element("bdi", {}, view.data.short[view[side]].slice(0, 100)));

  const labelWidth = ({ a, b, data }) => Math.min(LABEL, Math.max(3, ...[a, b].map((s) => data.short[s].length)));

  /** Where a text was searched for, wherever that stands. */
  function searched(text, wanted) {
    const at = wanted ? text.toLowerCase().indexOf(wanted.toLowerCase()) : -1;
    return at < 0 ? [] : [[at, at + wanted.length]];
  }

  /** The words of two outputs that the other has not at that place, as [start, end] of each. */
  function unlike(one, other) {
    const texts = [one, other].map((text) => text.slice(0, LONGEST));
    const words = texts.map((text) => marks.words(text));
    const steps = marks.edits(...words, 2) ?? [];
    const places = (key, side) => steps.filter(({ kind }) => kind !== "match").flatMap((step) => (
      step[key] === null ? [] : [[words[side][step[key]].start, words[side][step[key]].end]]));
    return [places("ours", 0), places("theirs", 1)];
  }

  /** The part of a text that a line shows, from where there is something to see, with that marked. */
  function snippet(text, fits, { found, words, different = [], kind = "" }) {
    const places = found.length ? found : words.length ? words : different;
    const [first, last] = places.reduce((one, other) => (other[0] < one[0] ? other : one), places[0] ?? [0, 0]);
    const before = text.slice(0, Math.max(0, first - fits / 4));
    const start = last > fits ? Math.max(before.search(/\S*$/u), before.length - LONG_WORD) : 0;
    const cut = text.slice(start, start + SNIPPET);
    const classes = Array(cut.length).fill("");
    const paint = (places, name) => {
      for (const [from, to] of places) classes.fill(name, Math.max(0, from - start), Math.max(0, to - start));
    };
    paint(different, kind);
    paint([...words, ...found], "found");
    const nodes = start ? ["…"] : [];
    for (let at = 0; at < cut.length;) {
      let end = at + 1;
      while (end < cut.length && classes[end] === classes[at]) end += 1;
      const piece = cut.slice(at, end);
      if (classes[at] === "found") nodes.push(element("mark", {}, piece));
      else nodes.push(classes[at] ? element("span", { class: classes[at] }, piece) : piece);
      at = end;
    }
    return nodes;
  }

  const verdict = (gain) => (gain > 0 ? "up" : gain < 0 ? "down" : "same");

  class List {
    /** `box` scrolls and holds an <ol>. */
    constructor(box) {
      this.box = box;
      this.list = box.querySelector("ol");
      this.rows = [];
      this.current = 0; // the row that the tabulator leads to, by its place
      this.height = 100;
      box.addEventListener("scroll", () => this.render(), { passive: true });
      box.addEventListener("keydown", (event) => this.press(event));
      box.addEventListener("focusin", (event) => this.follow(event));
      new ResizeObserver(() => this.measure()).observe(box);
    }

    show(view, rows) {
      this.view = view;
      this.rows = rows;
      this.current = 0;
      this.box.scrollTop = 0;
      this.box.style.setProperty("--label", labelWidth(view));
      this.list.replaceChildren();
      this.measure();
    }

    /** The height of a row is the style's business; all rows have the same. */
    measure() {
      if (!this.view) return;
      if (!this.list.firstElementChild && this.rows.length) this.list.append(this.row(0));
      this.height = this.list.firstElementChild?.offsetHeight || this.height;
      this.list.style.height = `${this.rows.length * this.height}px`;
      this.list.replaceChildren();
      this.render();
    }

    render() {
      const first = Math.max(0, Math.floor(this.box.scrollTop / this.height) - AROUND);
      const end = Math.min(this.rows.length, first + Math.ceil(this.box.clientHeight / this.height) + 2 * AROUND);
      const wanted = new Set([this.current < this.rows.length ? this.current : -1]); // or the focus would be lost
      for (let place = first; place < end; place += 1) wanted.add(place);
      wanted.delete(-1);
      for (const node of [...this.list.children]) {
        if (!wanted.delete(Number(node.dataset.place))) node.remove();
      }
      for (const place of wanted) this.insert(this.row(place), place);
    }

    /** Rows stand in the page in the order in which they are seen, for those who hear them. */
    insert(node, place) {
      const next = [...this.list.children].find((other) => Number(other.dataset.place) > place);
      this.list.insertBefore(node, next ?? null);
    }

    row(place) {
      const { view } = this;
      const row = this.rows[place];
      const node = element(
        "li",
        { "data-place": place, "aria-posinset": place + 1, "aria-setsize": this.rows.length },
        this.head(row, place),
        ...this.lines(row),
      );
      node.style.transform = `translateY(${place * this.height}px)`;
      node.dataset.row = row;
      if (view.gain(row)) node.classList.add(verdict(view.gain(row)));
      return node;
    }

    head(row, place) {
      const { view } = this;
      const { data, metric } = view;
      const name = data.segments[row];
      const document = data.facets[0]?.values[data.facets[0].of[row]];
      const score = (system) => printed(view.score(system, row), metric.digits);
      return element(
        "a",
        { href: address({ ...view.state, seg: name }), tabindex: place === this.current ? 0 : -1 },
        element("strong", {}, element("bdi", {}, name.slice(0, 40))),
        document ? element("small", {}, element("bdi", {}, document.slice(0, 60))) : null,
        element("span", { class: "figures" },
          tag(view, "a"), " ", score(view.a), " ", tag(view, "b"), " ", score(view.b), " ",
          element("b", { class: verdict(view.gain(row)) }, signed(view.difference(row), metric.digits))),
      );
    }

    lines(row) {
      const { view } = this;
      const { source, references, outputs } = view.texts(row);
      const q = view.state.q ?? "";
      const told = view.words(row);
      const given = [...references, ...(source === null ? [] : [source])];
      const fits = this.box.clientWidth / LETTER - labelWidth(view);
      const seen = (text) => ({ found: searched(text, q), words: phrases(text, told) });
      const shown = given.find((text) => seen(text).found.length) ?? given[0];
      const [inA, inB] = view.a === view.b ? [[], []] : unlike(outputs[view.a], outputs[view.b]);
      const line = (label, text, more = {}) => element("p", {}, label,
        element("span", { dir: "auto" }, ...snippet(text, fits, { ...seen(text), ...more })));
      return [
        shown === undefined ? null : line(element("i", {}, shown === source ? "src" : "ref"), shown),
        line(tag(view, "a"), outputs[view.a], { different: inA, kind: "of-a" }),
        line(tag(view, "b"), outputs[view.b], { different: inB, kind: "of-b" }),
      ];
    }

    /** Bring a row into sight and lead the keyboard there. */
    go(place, focus = true) {
      this.current = Math.max(0, Math.min(place, this.rows.length - 1));
      const [top, bottom] = [this.current * this.height, (this.current + 1) * this.height];
      if (top < this.box.scrollTop) this.box.scrollTop = top;
      else if (bottom > this.box.scrollTop + this.box.clientHeight) this.box.scrollTop = bottom - this.box.clientHeight;
      this.render();
      for (const node of this.list.children) {
        const link = node.querySelector("a");
        link.tabIndex = Number(node.dataset.place) === this.current ? 0 : -1;
        if (focus && link.tabIndex === 0) link.focus({ preventScroll: true });
      }
    }

    press(event) {
      const page = Math.max(1, Math.floor(this.box.clientHeight / this.height) - 1);
      const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
      if (!(event.key in steps) || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      this.go(this.current + steps[event.key]);
    }

    follow(event) {
      const node = event.target.closest("li");
      if (node && Number(node.dataset.place) !== this.current) this.go(Number(node.dataset.place), false);
    }
  }

  return { List, phrases, unlike };
})();
