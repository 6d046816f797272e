// One of a few: ranks of an output, choices between outputs, points of a short scale. Digits choose.

import { el } from "./page.js";
import { Widget, id } from "./widget.js";

class Choices extends Widget {
  build() {
    const group = id(), { name, widget, choices, least, most } = this.field;
    const [first, last] = widget === "rank" ? [1, this.item.outputs.length] : [least, most];
    this.options = choices.length ? choices : Array.from({ length: last - first + 1 }, (_, i) => first + i);
    this.append(el("fieldset", {}, el("legend", {}, this.label),
      el("div", { class: `options ${widget}` }, this.options.map((value) => el("label", {},
        el("input", { type: "radio", name: group, value, onchange: () => this.say(value) }),
        el("span", {}, el("b", {}, this.text(value)), el("small", {}, this.texts[`${name}_${value}`] ?? "")))))));
  }

  show() { this.querySelectorAll("input").forEach((input, i) => (input.checked = this.options[i] === this.value)); }

  key({ key }) {
    const value = this.field.choices.length ? this.options[key - 1] : this.options.find((option) => `${option}` === key);
    if (value !== undefined) this.say(value);
    return value !== undefined;
  }

  focus() { (this.querySelector("input:checked") ?? this.querySelector("input")).focus({ focusVisible: true }); }
}

customElements.define("tercet-choices", Choices);
