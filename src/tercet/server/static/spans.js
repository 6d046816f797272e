// Errors in a text: choose words or characters by mouse, finger or keys, then a category and a severity.
// A first touch chooses one unit, a second one extends to it; dragging does both. Places are counted in code points.

import { button, el } from "./page.js";
import { Widget, id } from "./widget.js";

// The units of a text that can be chosen, with their places.
function units(text, select, language) {
  const segmenter = new Intl.Segmenter(language, { granularity: select === "word" ? "word" : "grapheme" });
  let end = 0;
  return Array.from(segmenter.segment(text), ({ segment }) => {
    const start = end;
    end += Array.from(segment).length;
    return { segment, start, end, blank: !segment.trim() };
  });
}

const MISSING = { side: "target", start: null, end: null };
const covers = (span, side, part) =>
  span?.side === side && span.start !== null && span.start < part?.end && part.start < span.end;

class Spans extends Widget {
  #chosen = null; // a place, and the unit where it was begun
  #edited = null; // the span that is being changed
  #cursor = {};
  #dragging = false;

  build() {
    this.hint = id();
    this.sides = {};
    for (const side of ["source", "target"]) {
      if (!this.field.sides.includes(side)) continue;
      const text = side === "source" ? this.item.source : this.item.outputs[this.output].text;
      if (text !== null) this.#side(side, text);
    }
    this.panel = el("div", { class: "panel", role: "group", "aria-label": this.label, hidden: true });
    this.told = el("p", { class: "unseen", role: "status" });
    this.list = el("ul", { class: "errors", "aria-label": this.text("spans_marked") });
    this.append(el("p", { class: "unseen", id: this.hint }, this.text("spans_hint")), this.panel, this.told, this.list);
  }

  #side(side, text) {
    const { languages, directions, outputs } = this.item, name = this.text(side === "source" ? "source" : "output");
    const parts = units(text, this.field.select, languages[side] || "und"), lifted = () => (this.#dragging = false);
    const box = el("div", {
      class: "marking text", tabindex: 0, role: "group", "aria-describedby": this.hint, dir: directions[side],
      lang: languages[side], "aria-label": name, "data-side": side,
      onpointerdown: (e) => this.#down(e, side), onpointermove: (e) => this.#move(e, side),
      onpointerup: lifted, onpointercancel: lifted, onfocus: () => this.#paint(), onblur: () => this.#paint(),
    }, parts.map((part, i) => el("span", { "data-i": i }, part.segment)));
    const missing = this.field.missing && side === "target"
      ? button(this.text("missing"), () => this.#choose(MISSING), { class: "missing" }) : null;
    this.sides[side] = { text, parts, box, missing };
    this.#cursor[side] = -1;
    const several = outputs.length > 1, folded = side === "source" && several;
    const heading = folded ? null : el("h3", {}, name, several ? ` ${this.output + 1}` : "");
    const whole = el("div", { class: `side ${side}` }, heading, box, missing);
    this.append(folded ? el("details", {}, el("summary", {}, this.text("in_source")), whole) : whole);
  }

  get spans() { return this.value ?? []; }

  #unit(event, side) {
    const at = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-i]");
    return at && this.sides[side].box.contains(at) ? Number(at.dataset.i) : null;
  }

  #down(event, side) {
    const i = event.button ? null : this.#unit(event, side), part = this.sides[side].parts[i];
    if (!part || part.blank) return;
    this.#dragging = true;
    this.#cursor[side] = i;
    const span = this.#over(side, i), begun = this.#edited ? null : this.#begun(side);
    if (begun && begun.start === part.start && begun.end === part.end) this.#choose(null);
    else if (begun || !span) this.#choose(this.#reach(side, begun?.anchor ?? i, i));
    else this.edit(span);
  }

  #move(event, side) {
    const i = this.#unit(event, side);
    if (!this.#dragging || this.#edited || !this.#begun(side) || i === null || i === this.#cursor[side]) return;
    this.#cursor[side] = i;
    this.#choose(this.#reach(side, this.#chosen.anchor, i));
  }

  #begun(side) { return this.#chosen?.side === side && this.#chosen.start !== null ? this.#chosen : null; }

  // The place between two units, without blanks at its ends.
  #reach(side, anchor, i) {
    const { parts } = this.sides[side];
    let from = Math.min(anchor, i), to = Math.max(anchor, i);
    while (from < to && parts[from].blank) from++;
    while (from < to && parts[to].blank) to--;
    return { side, anchor, start: parts[from].start, end: parts[to].end };
  }

  // The next unit that is no blank.
  #step(side, i, by) {
    do i += by; while (by && this.sides[side].parts[i]?.blank);
    return i;
  }

  // Whether a key moves in a text; with Shift it chooses.
  #travel(side, { key, shiftKey }) {
    const { parts, box } = this.sides[side], right = getComputedStyle(box).direction === "rtl" ? -1 : 1;
    const by = { ArrowRight: right, ArrowLeft: -right, ArrowDown: 1, ArrowUp: -1 }[key], cursor = this.#cursor[side];
    const to = by ? this.#step(side, cursor, by) : { Home: 0, End: parts.length, " ": cursor }[key];
    if (to === undefined) return false;
    const i = this.#cursor[side] = Math.min(parts.length - 1, Math.max(0, to));
    const anchor = shiftKey ? this.#begun(side)?.anchor ?? Math.max(0, cursor) : i;
    return this.#choose(shiftKey || key === " " ? this.#reach(side, anchor, i) : null);
  }

  // Keys that say something of what is chosen: a digit its severity, Enter goes to the panel, Delete removes.
  key(event) {
    const { key, target } = event, { side } = target.dataset;
    if (side && this.#travel(side, event)) return true;
    if (key === "m" && this.field.missing && this.contains(target)) return this.#choose(MISSING);
    const gone = ["Delete", "Backspace"].includes(key) && (this.#edited ?? this.#over(side, this.#cursor[side]));
    if (gone) return this.#remove(gone);
    if (!this.#chosen) return false;
    if (key === "Escape") return this.#choose(null);
    const severity = this.field.severities[key - 1], enters = key === "Enter" && !this.panel.contains(target);
    if (severity) this.#mark(severity);
    if (enters) this.panel.querySelector("select, .severity").focus();
    return Boolean(severity || enters);
  }

  // The error at a unit, the last one if there are several.
  #over(side, i) { return this.spans.findLast((span) => covers(span, side, this.sides[side]?.parts[i])); }

  edit(span) { this.#choose({ ...span, anchor: this.#ends(span)[0] }, span); }

  // The units where a place begins and ends.
  #ends({ side, start, end }) {
    const { parts } = this.sides[side];
    return [parts.findIndex((p) => p.end > start), parts.findLastIndex((p) => p.start < end)];
  }

  #choose(chosen, edited = null) {
    this.#edited = edited;
    this.#chosen = chosen;
    const quoted = chosen ? this.#quoted(chosen) : "";
    this.told.textContent = chosen ? `${this.text("chosen")}: ${quoted}` : "";
    this.panel.hidden = !chosen;
    this.panel.replaceChildren(...(chosen ? this.#asked(chosen, quoted) : []));
    this.show();
    return true;
  }

  #quoted({ side, start, end }) {
    return start === null ? this.text("missing") : Array.from(this.sides[side].text).slice(start, end).join("");
  }

  #asked({ side, start }, quoted) {
    const { dir, lang } = this.sides[side].box, names = Object.entries(this.field.categories), edited = this.#edited;
    const option = (value, name) => el("option", { value, selected: edited?.category === value }, this.text(name));
    const edges = { start_back: [-1, 0], start_on: [1, 0], end_back: [0, -1], end_on: [0, 1] };
    return [
      el("q", { dir, lang, class: "text" }, quoted),
      start === null ? "" : el("span", { class: "edges", dir }, Object.entries(edges).map(([name, by]) =>
        button(name.endsWith("back") ? "◂" : "▸", () => this.#shift(...by), {
          "aria-label": this.text(name), title: this.text(name),
        }))),
      names.length ? el("select", { "aria-label": this.text("category") }, option("", "category"),
        names.map(([name, subs]) => subs.length
          ? el("optgroup", { label: this.text(name) }, subs.map((sub) => option(`${name}/${sub}`, sub)))
          : option(name, name))) : "",
      el("span", { class: "severities" }, this.field.severities.map((severity, i) =>
        button([el("kbd", {}, i + 1), ` ${this.text(severity)}`], () => this.#mark(severity), {
          class: "severity", "data-severity": severity,
        }))),
      edited ? button(this.text("remove"), () => this.#remove(edited)) : "",
      button(this.text("cancel"), () => { this.#choose(null); this.#back(side); }, { class: "quiet" }),
    ];
  }

  #shift(start, end) {
    const { side } = this.#chosen, [from, to] = this.#ends(this.#chosen);
    const a = this.#step(side, from, start), b = this.#step(side, to, end);
    if (a > b || !this.sides[side].parts[a] || !this.sides[side].parts[b]) return;
    const focused = [...this.panel.querySelectorAll("button")].indexOf(document.activeElement);
    this.#choose(this.#reach(side, a, b), this.#edited);
    this.panel.querySelectorAll("button")[focused]?.focus();
  }

  #back(side) { this.sides[side].box.focus({ preventScroll: true }); }

  #mark(severity) {
    const select = this.panel.querySelector("select"), category = select ? select.value : null;
    if (category === "") { select.focus(); select.classList.add("wanted"); return; }
    const { side, start, end } = this.#chosen;
    this.#finish([...this.spans.filter((s) => s !== this.#edited), { side, start, end, severity, category }], side);
  }

  #remove(span) { return this.#finish(this.spans.filter((s) => s !== span), span.side); }

  #finish(spans, side) {
    this.#choose(null);
    this.say(spans);
    this.#back(side);
    return true;
  }

  #paint() {
    const rank = (span) => -this.field.severities.indexOf(span.severity);
    const worst = [...this.spans].sort((a, b) => rank(a) - rank(b));
    for (const [side, { parts, box, missing }] of Object.entries(this.sides)) {
      const active = document.activeElement === box;
      parts.forEach((part, i) => {
        const unit = box.children[i], span = worst.find((s) => covers(s, side, part));
        if (span) unit.dataset.severity = span.severity;
        else delete unit.dataset.severity;
        unit.classList.toggle("chosen", covers(this.#chosen, side, part));
        unit.classList.toggle("cursor", active && i === this.#cursor[side]);
      });
      missing?.classList.toggle("chosen", this.#chosen?.start === null);
      missing?.toggleAttribute("data-marked", this.spans.some((s) => s.start === null));
    }
  }

  show() {
    this.#paint();
    this.list.replaceChildren(...this.spans.map((span) => el("li", { "data-severity": span.severity },
      button([el("q", { dir: "auto", class: "text" }, this.#quoted(span)),
        el("small", {}, [span.severity, ...(span.category?.split("/") ?? [])].map((name) => this.text(name)).join(" · "))],
      () => this.edit(span), { class: "error" }),
      button("×", () => this.#remove(span), {
        class: "drop", "aria-label": `${this.text("remove")}: ${this.#quoted(span)}`,
      }))));
    this.list.hidden = !this.spans.length;
  }

  focus() { Object.values(this.sides).at(-1).box.focus({ focusVisible: true }); }
}

customElements.define("tercet-spans", Spans);
