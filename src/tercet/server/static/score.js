// A point of a long scale: a slider, a number beside it, and the marks that have a text. Nothing is chosen at first.

import { button, el } from "./page.js";
import { Widget, id } from "./widget.js";

class Score extends Widget {
  build() {
    const { least, most } = this.field, name = id();
    const limits = { min: least, max: most };
    this.slider = el("input", {
      type: "range", id: name, ...limits, value: (least + most) / 2,
      oninput: () => this.say(Number(this.slider.value), true),
      onpointerup: () => this.value === null && this.say(Number(this.slider.value)),
    });
    this.number = el("input", {
      type: "number", ...limits, step: "any", inputmode: "numeric", "aria-label": this.label,
      oninput: ({ target: { value, validity } }) => this.say(value && validity.valid ? Number(value) : null, true),
    });
    this.marks = this.field.marks.map((mark) => button(
      [el("b", {}, mark), " ", this.texts[`${this.field.name}_${mark}`] ?? ""], () => this.say(mark)));
    this.append(
      el("label", { for: name, class: "asked" }, this.label),
      el("div", { class: "scale" }, this.slider, this.number),
      this.marks.length ? el("div", { class: "marks" }, this.marks) : el("div", { class: "ends" },
        el("span", {}, least), el("span", {}, most)));
  }

  show() {
    const known = this.value !== null;
    this.classList.toggle("open", !known);
    if (known) this.slider.value = this.value;
    this.slider.setAttribute("aria-valuetext", known ? String(this.value) : "–");
    if (known ? Number(this.number.value) !== this.value : document.activeElement !== this.number)
      this.number.value = this.value ?? "";
    this.marks.forEach((mark, i) => mark.setAttribute("aria-pressed", this.field.marks[i] === this.value));
  }

  key(event) {
    if (!/^[0-9]$/.test(event.key)) return false;
    this.number.focus();
    this.number.select();
    return "typed"; // the digit goes into the field
  }

  focus() { this.slider.focus({ focusVisible: true }); }
}

customElements.define("tercet-score", Score);
