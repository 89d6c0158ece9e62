/** Values of an untrusted JSON document. Each knows its path, so that problems can name it. */
import { valueText } from "../../errors.ts";
import { DAMAGED, meshError } from "./triangle-mesh.ts";

export class JsonValue {
  constructor(
    readonly file: string,
    readonly path: string,
    readonly value: unknown,
  ) {}

  get isGiven(): boolean {
    return this.value !== undefined;
  }

  /** @throws ModelError with the path and the value */
  refuse(message: string, advice = DAMAGED): never {
    throw meshError(this.file, message, advice, { path: this.path, value: valueText(this.value) });
  }

  /** The value of a key; not given if the object or the key is missing. */
  key(name: string): JsonValue {
    const { value } = this;
    if (value !== undefined && (typeof value !== "object" || value === null || Array.isArray(value)))
      this.refuse("must be an object");
    const inner =
      value !== undefined && Object.hasOwn(value as object, name) ? (value as Record<string, unknown>)[name] : undefined;
    return new JsonValue(this.file, this.path === "" ? name : `${this.path}.${name}`, inner);
  }

  /** Number of items of a list; 0 if it is not given. */
  get length(): number {
    if (this.value === undefined) return 0;
    return Array.isArray(this.value) ? this.value.length : this.refuse("must be a list");
  }

  item(i: number): JsonValue {
    return new JsonValue(this.file, `${this.path}[${i}]`, (this.value as readonly unknown[])[i]);
  }

  *items(): Generator<JsonValue> {
    for (let i = 0; i < this.length; i++) yield this.item(i);
  }

  /** A whole number from `least`. */
  wholeNumber(least = 0, otherwise?: number): number {
    if (this.value === undefined && otherwise !== undefined) return otherwise;
    if (Number.isSafeInteger(this.value) && (this.value as number) >= least) return this.value as number;
    return this.refuse(`must be a whole number from ${least}`);
  }

  /** A list of finite numbers; `otherwise` if it is not given. */
  numbers(otherwise: readonly number[]): readonly number[] {
    const { value } = this;
    if (value === undefined) return otherwise;
    if (Array.isArray(value) && value.length === otherwise.length && value.every((x) => Number.isFinite(x))) return value;
    return this.refuse(`must be a list of ${otherwise.length} finite numbers`);
  }
}
