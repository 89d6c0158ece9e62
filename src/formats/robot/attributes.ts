/** Typed attributes of XML elements. A wrong value is a problem with its line; the default is then used. */
import { valueText } from "../../errors.ts";
import type { Vec3 } from "../../spatial/vec3.ts";
import type { XmlElement } from "../xml/xml-element.ts";
import type { ImportNotes } from "./import-notes.ts";

/** Larger numbers are a mistake or an attack: their squares may overflow. */
const MAX_MAGNITUDE = 1e30;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A number as XML formats write it, or undefined. */
export function parseNumber(text: string): number | undefined {
  if (!NUMBER.test(text)) return undefined;
  const value = Number(text);
  return Math.abs(value) <= MAX_MAGNITUDE ? value : undefined;
}

/** Reads the attributes of one element. `path` names the element in messages: `link[hand].inertial.mass`. */
export class XmlAttributes {
  constructor(
    readonly element: XmlElement,
    readonly path: string,
    private readonly notes: ImportNotes,
    private readonly values: ReadonlyMap<string, string> = element.attributes,
  ) {}

  has(name: string): boolean {
    return this.values.has(name);
  }

  /** Names of all attributes, with those of default classes. */
  names(): Iterable<string> {
    return this.values.keys();
  }

  text(name: string): string | undefined {
    return this.values.get(name);
  }

  /** A text that must be there. */
  neededText(name: string): string | undefined {
    const value = this.values.get(name);
    if (value === undefined) this.problem(name, "is missing", `Write ${name}="..." in <${this.element.name}>`);
    return value;
  }

  number(name: string): number | undefined {
    return this.numbers(name, 1, 1)?.[0];
  }

  vector(name: string): Vec3<number> | undefined {
    return this.numbers(name, 3, 3) as Vec3<number> | undefined;
  }

  /** A list of numbers, separated by spaces. Undefined if it is not given, or after a problem. */
  numbers(name: string, least: number, most: number): readonly number[] | undefined {
    const text = this.values.get(name);
    if (text === undefined) return undefined;
    const words = text.split(/\s+/).filter((word) => word !== "");
    const numbers = words.slice(0, most + 1).map(parseNumber);
    const wrong = numbers.indexOf(undefined);
    if (wrong >= 0) {
      const advice = /,/.test(words[wrong]!)
        ? "Separate numbers by spaces"
        : /^[+-]?(nan|inf)/i.test(words[wrong]!)
          ? "Every number must be finite"
          : /\$[({]/.test(text)
            ? "This is an expression of xacro: expand the file first"
            : "Write plain numbers in SI units";
      this.problem(name, `is not a number: ${valueText(words[wrong])}`, advice);
      return undefined;
    }
    if (words.length < least || words.length > most) {
      const count = least === most ? `${least}` : `${least} to ${most}`;
      this.problem(name, `needs ${count} ${most === 1 ? "number" : "numbers"}, has ${words.length}`, "Separate them by spaces");
      return undefined;
    }
    return numbers as number[];
  }

  flag(name: string): boolean | undefined {
    const text = this.choice(name, ["true", "false"]);
    return text === undefined ? undefined : text === "true";
  }

  choice<T extends string>(name: string, allowed: readonly T[]): T | undefined {
    const text = this.values.get(name);
    if (text === undefined) return undefined;
    if (allowed.includes(text as T)) return text as T;
    this.problem(name, `must be ${allowed.join(", ")}`);
    return undefined;
  }

  problem(name: string, message: string, advice?: string): void {
    const value = this.values.get(name);
    this.notes.problem(this.element, `${this.path}.${name}`, message, {
      ...(value !== undefined && { value: valueText(value) }),
      ...(advice !== undefined && { advice }),
    });
  }
}
