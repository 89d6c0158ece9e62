/** The sections of the gallery, and the scenarios that come first. */
import type { BuiltInScenario } from "../files/scenario-sources.ts";

/** The scenarios that the gallery begins with. */
export const FIRST: readonly string[] = [
  "satellite-manipulator",
  "satellite-pantograph",
  "multi-arm-stabilized",
  "capture-tumbling-target",
  "reorient-by-arm",
  "docking-soft-capture",
  "docking-apas",
  "probe-cone",
  "rover-traverse",
  "rover-six-wheel",
  "flexible-two-link",
  "stewart-platform",
];

/** The scenario of the large picture at the top. */
export const HERO = "capture-tumbling-target";

export interface Field {
  readonly title: string;
  /** Matches the names of its scenarios. */
  readonly names: RegExp;
}

/** The first field that matches decides. What matches none is a mechanism if it has loops, and else basic. */
export const FIELDS: readonly Field[] = [
  { title: "Rovers and ground", names: /rover|lander/ },
  { title: "Docking and contact", names: /docking|probe|cone|contact|grasp|stack|cradle|peg/ },
  { title: "Flexible bodies", names: /flexible|boom|rod|cantilever|elastic|identify/ },
  { title: "Satellites and arms", names: /satellite|arm|capture|reorient|orbit|base-|dumbbell|space|cassie|babyboot/ },
  { title: "Mechanisms", names: /bar$|slider|stewart|bricard|andrews|governor|jansen|platform|wheel/ },
  { title: "Basics", names: /./ },
];

const ORDER = ["Satellites and arms", "Docking and contact", "Rovers and ground", "Flexible bodies", "Mechanisms", "Basics"];

export function fieldOf({ name, files }: BuiltInScenario): string {
  const field = FIELDS.find(({ names }) => names.test(name))!;
  return field.title === "Basics" && /^loops:/m.test(files["model.yaml"] ?? "") ? "Mechanisms" : field.title;
}

/** The scenarios by field, in the order of the page. The first scenarios come first in their field, too. */
export function sections(
  library: readonly BuiltInScenario[],
): readonly { title: string; scenarios: readonly BuiltInScenario[] }[] {
  const rank = ({ name }: BuiltInScenario): number => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  const first = library.filter(({ name }) => FIRST.includes(name)).sort((a, b) => rank(a) - rank(b));
  const rest = library.filter(({ name }) => !FIRST.includes(name));
  return [
    { title: "Start here", scenarios: first },
    ...ORDER.map((title) => ({ title, scenarios: rest.filter((builtIn) => fieldOf(builtIn) === title) })),
  ].filter(({ scenarios }) => scenarios.length > 0);
}
