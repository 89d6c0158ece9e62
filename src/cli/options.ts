/** Arguments that several commands share. Help shows them, so this file loads nothing of the library. */
import type { FormulationName } from "../dynamics/formulation.ts";
import type { IntegratorName } from "../sim/integrators/index.ts";

/** Names in the order of the help. The compiler checks that they are complete. */
const namesOf = <N extends string>(names: Readonly<Record<N, true>>): N[] => Object.keys(names) as N[];

export const FORMULATION_NAMES = namesOf<FormulationName>({
  articulated: true,
  kane: true,
  matrix: true,
  partition: true,
  minimal: true,
});

export const INTEGRATOR_NAMES = namesOf<IntegratorName>({
  rkg: true,
  rk4: true,
  dopri5: true,
  dop853: true,
  radau5: true,
  "dopri5-radau5": true,
  gauss6: true,
});

/** The argument that stands for standard input. */
export const STANDARD_INPUT = "-";

export const MODEL_ARGUMENT = {
  type: "positional",
  required: true,
  description: "a model file (YAML, JSON, URDF, MJCF), the name of a built-in scenario, or - for standard input",
} as const;

export const SCENARIO_ARGUMENT = {
  type: "positional",
  required: true,
  description: "a scenario or model file (YAML, JSON, URDF, MJCF), the name of a built-in scenario, or - for standard input",
} as const;

/** Options that change a scenario before it runs. */
export const SCENARIO_CHANGES = {
  set: {
    type: "string",
    valueHint: "PATH=VALUE",
    list: "of texts",
    description: "change a value of the scenario, e.g. forces.control.stiffness=12; repeatable",
  },
  integrator: {
    type: "enum",
    options: INTEGRATOR_NAMES,
    description: "use this integrator, with default tolerances of integrator and audit",
  },
  duration: { type: "string", valueHint: "TIME", description: "use this duration, in seconds or with a unit, e.g. '2 min'" },
} as const;

const BASES: string[] = ["fixed", "free"];

/** Options for robot files. */
export const ROBOT_OPTIONS = {
  base: {
    type: "enum",
    options: BASES,
    description: "base of a URDF robot (default: fixed, unless the file joins it to world by a floating joint)",
  },
  srdf: { type: "string", valueHint: "FILE", description: "SRDF file with poses, groups and loops of a URDF robot" },
  pose: { type: "string", valueHint: "NAME", description: "start at this pose of the robot file" },
  packages: {
    type: "string",
    valueHint: "DIR",
    list: "of texts",
    description: "folder in which meshes of a robot file may be (package://, absolute paths); repeatable",
  },
} as const;

export const FORMULATION_OPTION = {
  type: "enum",
  options: FORMULATION_NAMES,
  description: "use this formulation of the equations of motion",
} as const;
