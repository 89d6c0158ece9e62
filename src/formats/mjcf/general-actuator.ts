/**
 * Every actuator of MJCF as <general>, of which the others are short forms: force = gain(control) + bias. A short form sets some of the numbers of
 * the class before it and keeps the others.
 */
import { parseNumber } from "../robot/attributes.ts";
import type { XmlElement } from "../xml/xml-element.ts";

const SHORT_FORMS: Readonly<Record<string, (own: ActuatorNumbers) => Readonly<Record<string, string>>>> = {
  general: () => ({}),
  motor: ({ list }) => ({ ...NO_DYNAMICS, gaintype: "fixed", biastype: "none", gainprm: list("gainprm", [1]) }),
  position: (own) => servo(own),
  intvelocity: (own) => ({ ...servo(own), dyntype: "integrator" }),
  velocity: ({ list, number, inherited }) => {
    const kv = number("kv") ?? inherited("gainprm", 0, 1);
    return { ...NO_DYNAMICS, gaintype: "fixed", biastype: "affine", gainprm: list("gainprm", [kv]), biasprm: `0 0 ${-kv}` };
  },
  damper: ({ number, inherited }) => {
    const kv = number("kv") ?? -inherited("gainprm", 2, 0);
    return { ...NO_DYNAMICS, gaintype: "affine", biastype: "none", gainprm: `0 0 ${-kv}` };
  },
  cylinder: () => ({ dyntype: "filter", gaintype: "fixed", biastype: "affine" }),
  muscle: () => ({ dyntype: "muscle", gaintype: "muscle", biastype: "muscle" }),
  adhesion: () => ({ ...NO_DYNAMICS, gaintype: "fixed", biastype: "none" }),
  plugin: () => ({}),
};

const NO_DYNAMICS = { dyntype: "none" };

/** kv: damping; a positive third number of the bias is a damping ratio. */
function servo({ list, number, inherited }: ActuatorNumbers): Readonly<Record<string, string>> {
  const kp = number("kp") ?? inherited("gainprm", 0, 1);
  const [kv, ratio, time] = [number("kv"), number("dampratio"), number("timeconst")];
  const damping = kv !== undefined ? -kv : (ratio ?? inherited("biasprm", 2, 0));
  return {
    ...(time !== undefined && { dyntype: time === 0 ? "none" : "filterexact" }),
    ...{ gaintype: "fixed", biastype: "affine", gainprm: list("gainprm", [kp]) },
    biasprm: list("biasprm", [inherited("biasprm", 0, 0), -kp, damping]),
  };
}

export const isActuator = (name: string): boolean => Object.hasOwn(SHORT_FORMS, name);

/** ActuatorNumbers of an element and of its class. */
interface ActuatorNumbers {
  number(name: string): number | undefined;
  /** A number of a list of the class. */
  inherited(name: string, index: number, fallback: number): number;
  /** The first numbers of a list, then those of the class. */
  list(name: string, first: readonly number[]): string;
}

/** The attributes of an actuator, with those that <general> has instead of `kp`, `kv`, `dampratio` and `timeconst`. */
export function generalAttributes(
  { name, attributes }: XmlElement,
  inherited: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const words = (list: string): readonly string[] => (inherited.get(list) ?? "").split(/\s+/).filter((word) => word !== "");
  const numbers: ActuatorNumbers = {
    number: (key) => {
      const text = attributes.get(key);
      return text === undefined ? undefined : parseNumber(text.trim());
    },
    inherited: (key, index, fallback) => parseNumber(words(key)[index] ?? "") ?? fallback,
    list: (key, first) => [...first, ...words(key).slice(first.length)].join(" "),
  };
  return new Map([...attributes, ...Object.entries(SHORT_FORMS[name]!(numbers))]);
}
