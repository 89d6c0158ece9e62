/** A table of forms: each is a list of integers, and equal lists are one form. */
import { arraysEqual } from "../../math/linear/array-equal.ts";

/** Number of integers of a form that its key contains. A longer key would cost more than the comparisons that it saves. */
const KEY_INTEGERS = 8;

export class FormTable<T> {
  readonly #entries = new Map<string, { readonly form: Int32Array; readonly value: T }[]>();

  /** The value of a form. If the form is new, its value is made from a copy of the form. */
  get(form: Int32Array, make: (form: Int32Array) => T): T {
    const key = sampleOf(form);
    const known = this.#entries.get(key) ?? [];
    if (known.length === 0) this.#entries.set(key, known);
    for (const entry of known) if (arraysEqual(entry.form, form)) return entry.value;
    const copy = form.slice();
    const value = make(copy);
    known.push({ form: copy, value });
    return value;
  }
}

/** The length of a form and some of its integers. */
function sampleOf(form: Int32Array): string {
  let key = String(form.length);
  for (let k = 0; k < KEY_INTEGERS; k++) key += ` ${form[Math.floor((k * form.length) / KEY_INTEGERS)]}`;
  return key;
}
