/** The field of one setting: label, value with unit, and the problem of a rejected value. */
import { ModelError } from "castor";
import { isSiUnit, unitsOf } from "castor/formats";
import { formatOverride, formatValue, parseOverride, type Setting } from "castor/scenario";
import { h, replaceContent } from "../elements/dom.ts";
import { unitText } from "../plots/text.ts";
import { editOverrides, isSamePathOrBelow, type SettingChange, withChanges, withoutChange } from "../state/changes.ts";
import type { Studio } from "../studio.ts";
import { integratorChanges } from "./integrator.ts";

let fieldCount = 0;

type Input = HTMLInputElement | HTMLSelectElement;

export class SettingField {
  readonly element: HTMLElement;
  readonly #studio: Studio;
  readonly #id = `setting-${++fieldCount}`;
  readonly #inputs: readonly Input[];
  readonly #problem: HTMLElement;
  readonly #reset: HTMLButtonElement;
  #setting: Setting;

  constructor(studio: Studio, setting: Setting) {
    this.#studio = studio;
    this.#setting = setting;
    this.#inputs = this.#makeInputs();
    this.#problem = h("p", { class: "problem", id: `${this.#id}-problem`, hidden: true });
    this.#reset = h(
      "button",
      { type: "button", class: "reset", title: "Reset to the value in the file", "aria-label": `Reset ${setting.path}` },
      "↺",
    );
    this.#reset.addEventListener("click", () => this.#resetValue());
    const label = h("label", { for: `${this.#id}-0`, title: settingHint(setting) }, setting.label);
    const unit = this.#commonUnit();
    const row = h("div", { class: "setting-row" }, label, unit && h("span", { class: "unit" }, unitText(unit)), this.#reset);
    this.element = h(
      "div",
      { class: `setting type-${setting.type}`, "data-path": setting.path },
      row,
      this.#values(),
      this.#problem,
    );
  }

  /** Shows the present value of the scenario. */
  update(setting: Setting): void {
    this.#setting = setting;
    const isChanged = this.#studio.state.overrides.some(({ path }) => path === setting.path || path === setting.replaces?.path);
    this.element.classList.toggle("changed", isChanged);
    this.element.classList.toggle("unwritten", !setting.written);
    this.#reset.disabled = !isChanged;
    for (const [i, input] of this.#inputs.entries()) {
      if (input.getAttribute("aria-invalid") === "true" && document.activeElement === input) continue;
      const text = this.#textOf(i);
      if (input instanceof HTMLInputElement && input.type === "checkbox") input.checked = setting.value === true;
      else if (input.value !== text) input.value = text;
      // If the text contains a unit, the unit label is hidden.
      input.parentElement?.classList.toggle("with-unit", /[a-z°]$/i.test(text.trim()));
    }
    this.#showProblem(undefined);
  }

  focus(): void {
    this.#inputs[0]?.focus();
  }

  #textOf(i: number): string {
    const { value, type } = this.#setting;
    if (value === undefined) return "";
    if (type === "numbers") return formatValue((value as readonly unknown[])[i]);
    return formatValue(value);
  }

  #makeInputs(): readonly Input[] {
    const { type, entries, path, choices } = this.#setting;
    const attributes = (i: number): Record<string, unknown> => ({
      id: `${this.#id}-${i}`,
      "aria-describedby": `${this.#id}-problem`,
      title: settingHint(this.#setting),
    });
    if (type === "choice") {
      const noValue = this.#setting.value === undefined && h("option", { value: "" }, "default");
      const select = h(
        "select",
        attributes(0),
        noValue,
        ...(choices ?? []).map((choice) => h("option", { value: choice }, choice)),
      );
      select.addEventListener("change", () => this.#commit());
      return [select];
    }
    if (type === "boolean") {
      const box = h("input", { type: "checkbox", ...attributes(0) });
      box.addEventListener("change", () => this.#commit());
      return [box];
    }
    const isList = entries !== undefined && entries.length > 1;
    return (entries ?? [{ label: "", unit: "" }]).map(({ label, unit }, i) => {
      const input = h("input", {
        type: "text",
        autocomplete: "off",
        spellcheck: "false",
        placeholder: type === "data" ? "none" : "default",
        ...(isList && { "aria-label": [path, label, unit].filter((part) => part !== "").join(", ") }),
        ...attributes(i),
      });
      input.addEventListener("change", () => this.#commit());
      input.addEventListener("input", () => input.classList.add("being-written"));
      input.addEventListener("keydown", (event) => this.#keyPressed(event, input, i));
      return input;
    });
  }

  /** The unit of several numbers, if it is the same for all. */
  #commonUnit(): string | undefined {
    const [first, ...others] = (this.#setting.entries ?? []).map(({ unit }) => unit);
    return others.length > 0 && others.every((unit) => unit === first) ? first : undefined;
  }

  #values(): HTMLElement {
    const { entries, type } = this.#setting;
    const commonUnit = this.#commonUnit();
    const isList = type === "numbers";
    return h(
      "div",
      { class: isList ? "values several" : "values" },
      ...this.#inputs.map((input, i) => {
        const entry = entries?.[i];
        if (entry === undefined) return input;
        const unit = h("span", { class: "unit" }, unitText(entry.unit));
        return h(
          "span",
          { class: "value" },
          isList && h("span", { class: "axis" }, entry.label),
          input,
          entry.unit !== "" && commonUnit === undefined && unit,
        );
      }),
    );
  }

  /** Up and down change the last written digit; with shift by ten. Escape restores the value. */
  #keyPressed(event: KeyboardEvent, input: HTMLInputElement, i: number): void {
    if (event.key === "Escape") {
      input.value = this.#textOf(i);
      this.#showProblem(undefined);
    }
    const step = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    if (step === 0 || this.#setting.entries === undefined) return;
    const next = stepLastDigit(input.value, event.shiftKey ? 10 * step : step);
    if (next === undefined) return;
    event.preventDefault();
    input.value = next;
    this.#commit();
  }

  /** The change that the inputs describe. @throws ModelError */
  #readInputs(): SettingChange {
    const { path, type } = this.#setting;
    const [first] = this.#inputs;
    if (type === "boolean") return { path, value: (first as HTMLInputElement).checked };
    if (type === "choice") return { path, value: first!.value || undefined };
    const texts = this.#inputs.map((input) => input.value.trim());
    if (type !== "numbers") return texts[0] === "" ? { path, value: undefined } : parseOverride(`${path}=${texts[0]}`, path);
    return { path, value: texts.map((text) => parseOverride(`${path}=${text}`, path).value) };
  }

  #commit(): void {
    const { source, overrides } = this.#studio.state;
    if (source === undefined) return;
    try {
      const change = this.#readInputs();
      if (formatOverride(change) === formatOverride(this.#setting)) {
        this.#showProblem(undefined);
        return;
      }
      if (change.path === "integrator.name" && change.value === this.#studio.readScenario(source, []).integrator.name) {
        this.#resetValue();
        return;
      }
      const { replaces } = this.#setting;
      const changes = replaces
        ? [{ path: replaces.path, value: replaces.by[String(change.value)] }]
        : this.#setting.path === "integrator.name"
          ? integratorChanges(this.#studio, String(change.value))
          : [change];
      const next = withChanges(overrides, changes);
      this.#studio.readScenario(source, next); // throws if the value is wrong: it is shown here and not applied
      editOverrides(this.#studio, next);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      this.#showProblem(error);
    }
  }

  #resetValue(): void {
    const { path, replaces } = this.#setting;
    const { overrides } = this.#studio.state;
    // Changes below another kind are removed together with the kind.
    const remainingOverrides = replaces
      ? overrides.filter((o) => !isSamePathOrBelow(o.path, replaces.path))
      : withoutChange(overrides, path);
    // Settings that the other integrator had removed return with the integrator of the file.
    editOverrides(
      this.#studio,
      path === "integrator.name" ? remainingOverrides.filter(({ value }) => value !== undefined) : remainingOverrides,
    );
  }

  #showProblem(error: ModelError | undefined): void {
    // Marks the wrong numbers of several; all of them if the problem names none.
    const wrongIndices = (error?.problems ?? []).map(({ path }) => /\[(\d+)\]$/.exec(path)?.[1]);
    const areLocated = this.#inputs.length > 1 && wrongIndices.length > 0 && wrongIndices.every((index) => index !== undefined);
    for (const [i, input] of this.#inputs.entries()) {
      const isWrong = error !== undefined && (!areLocated || wrongIndices.includes(String(i)));
      input.setAttribute("aria-invalid", String(isWrong));
      input.classList.toggle("being-written", isWrong);
    }
    this.#problem.hidden = error === undefined;
    this.#problem.setAttribute("role", error === undefined ? "none" : "alert");
    const lines = (error?.problems ?? []).map(({ path, message, advice }) => {
      const isOwnPath = path === "" || isSamePathOrBelow(path, this.#setting.path) || /\d\]/.test(path);
      return h("span", {}, `${isOwnPath ? "" : `${path}: `}${message}.${advice ? ` ${advice}.` : ""}`);
    });
    replaceContent(this.#problem, ...lines);
  }
}

/** Tooltip of a setting: description, limits, units and path. */
export function settingHint({ about, entries, least, above, most, path }: Setting): string {
  const limits = [
    least !== undefined && `at least ${least}`,
    above !== undefined && `above ${above}`,
    most !== undefined && `at most ${most}`,
  ].filter(Boolean);
  const units = [...new Set((entries ?? []).flatMap(({ unit }) => (isSiUnit(unit) ? unitsOf(unit) : [])))];
  return [about, limits.length > 0 && `${limits.join(", ")}.`, units.length > 0 && `Units: ${units.join(", ")}.`, path]
    .filter(Boolean)
    .join(" ");
}

/** Changes the last written digit of a number, which may have a unit, by `steps`. Undefined if the text is not a number. */
export function stepLastDigit(text: string, steps: number): string | undefined {
  const [, number, decimals = "", exponent = "", unit = ""] = /^\s*([+-]?\d+)(\.\d+)?(e[+-]?\d+)?(\s*\D*)$/i.exec(text) ?? [];
  if (number === undefined) return undefined;
  const digits = Math.max(0, decimals.length - 1);
  return `${(Number(number + decimals) + steps * 10 ** -digits).toFixed(digits)}${exponent}${unit}`;
}
