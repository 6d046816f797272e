// One of a few: ranks of an output, choices between outputs, points of a short scale. Digits choose.

import { el } from "./page.js";
import { Widget, id } from "./widget.js";

export class Choices extends Widget {
  build() {
    const name = id();
    this.options = this.values();
    this.append(el("fieldset", { class: "choices" },
      el("legend", {}, this.label),
      el("div", { class: "options" }, this.options.map(([value, text]) => el("label", {},
        el("input", { type: "radio", name, value, onchange: () => this.say(value) }),
        el("span", {}, el("b", {}, this.sign(value)), text ? el("small", {}, text) : null))))));
  }

  show() {
    this.querySelectorAll("input").forEach((input, i) => (input.checked = this.options[i][0] === this.value));
  }

  key(event) {
    const option = this.options[this.place(Number(event.key))];
    if (!/^[0-9]$/.test(event.key) || !option) return false;
    this.say(option[0]);
    return true;
  }

  focus() { (this.querySelector("input:checked") ?? this.querySelector("input")).focus({ focusVisible: true }); }
  sign(value) { return String(value); }
  place(digit) { return digit - 1; }
}

class Rank extends Choices {
  values() { return this.item.outputs.map((_, i) => [i + 1, ""]); }
}

class Choose extends Choices {
  values() { return this.field.choices.map((choice) => [choice, ""]); }
  sign(value) { return this.text(value); }
}

export class Steps extends Choices {
  values() {
    const { least, most, name } = this.field;
    return Array.from({ length: most - least + 1 }, (_, i) => [least + i, this.texts[`${name}_${least + i}`] ?? ""]);
  }
  place(digit) { return digit - this.field.least; }
}

customElements.define("tercet-rank", Rank);
customElements.define("tercet-choose", Choose);
customElements.define("tercet-steps", Steps);
