/** Parameters of force-controlled legs. */
import type { Parameter, Parameters, ParameterValues } from "../../../declare/parameters.ts";

const SIX = ["rx", "ry", "rz", "x", "y", "z"] as const;
const TWO = { type: "array", parts: ["angular", "linear"] } as const;

/** Parameters of a phase: its impedance. */
const IMPEDANCE = {
  stiffness: {
    type: "array",
    unit: "",
    parts: SIX,
    least: 0,
    default: [0, 0, 0, 0, 0, 0],
    about: "Stiffness towards the reference: N m/rad about x, y, z, then N/m along x, y, z of the base.",
  },
  damping: {
    type: "array",
    unit: "",
    parts: SIX,
    least: 0,
    default: [0, 0, 0, 0, 0, 0],
    about: "Damping: N m s/rad about x, y, z, then N s/m along x, y, z of the base.",
  },
  most: {
    type: "array",
    unit: "",
    parts: SIX,
    above: 0,
    optional: true,
    about: "Largest torques and forces of stiffness and damping, N m and N; unlimited if not given.",
  },
  gain: {
    type: "number",
    unit: "",
    least: 0,
    default: 0,
    about:
      "Force feedback: the legs add gain × the measured wrench, so that the ring answers a load as if it had 1/(1 + gain) of its inertia.",
  },
  timeout: {
    type: "number",
    unit: "s",
    above: 0,
    optional: true,
    about: "Longest duration; after it the run ends, and says what the phase waited for.",
  },
} as const satisfies Record<string, Parameter>;

export const LEG_CONTROL_PARAMETERS = {
  period: {
    type: "number",
    unit: "s",
    above: 0,
    default: 0.001,
    about: "Time between updates; the forces are held in between.",
  },
  motors: { type: "name", about: "Name of the `motors` of the legs among the forces." },
  base: { type: "frame", about: "Frame that carries the legs, x along the docking axis." },
  ring: {
    type: "frame",
    about: "Frame of the ring, parallel to the base when aligned. Wrenches and displacements are those at its origin.",
  },
  home: { type: "vector", unit: "m", about: "Position of the ring's origin in the base frame from which displacements count." },
  legs: {
    type: "list",
    of: {
      hinge: { type: "freedom", needs: "coordinate", about: "Slide of the leg." },
      joint: { type: "frame", optional: true, about: "Frame at the joint with the ring; the body of the hinge if not given." },
    },
    about: "The legs, six or fewer.",
  },
  limit: {
    type: "number",
    unit: "N",
    above: 0,
    optional: true,
    about: "Largest force of a leg: above it all forces are reduced in proportion.",
  },
  latches: { type: "references", to: "latch", about: "The capture latches, by their names among the forces." },
  brake: {
    type: "name",
    optional: true,
    about: "Name of the leg drives whose brake is closed in `hold`; the motors then rest.",
  },
  sensor: {
    type: "object",
    of: {
      frame: {
        type: "frame",
        about: "Frame of the sensor, on the ring. It shows the load of contacts and latches, `load.FRAME.*`.",
      },
      noise: { ...TWO, unit: "", least: 0, default: [0, 0], about: "Standard deviation of torque and force, N m and N." },
      seed: { type: "number", unit: "", whole: true, least: 0, most: 0xffffffff, default: 0, about: "Seed of the noise." },
      filter: { type: "number", unit: "s", least: 0, default: 0, about: "Time constant of a low-pass filter." },
      delay: {
        type: "number",
        unit: "s",
        least: 0,
        most: 10,
        default: 0,
        about: "Delay of the signal, rounded to whole updates.",
      },
    },
    about: "The force sensor.",
  },
  contact: { type: "number", unit: "N", above: 0, default: 20, about: "Force at the sensor that shows contact." },
  rest: {
    ...TWO,
    unit: "",
    above: 0,
    default: [0.002, 0.003],
    about: "Angular rate and speed below which the ring is at rest, rad/s and m/s.",
  },
  within: {
    ...TWO,
    unit: "",
    above: 0,
    default: [0.01, 0.005],
    about: "Angle and distance within which the ring is aligned, rad and m.",
  },
  dwell: { type: "number", unit: "s", least: 0, default: 0.5, about: "Time for which the ring must be at rest and aligned." },
  blend: {
    type: "number",
    unit: "s",
    least: 0,
    default: 0.5,
    about: "Time over which stiffness and damping of a phase replace those of the phase before; the gain changes at once.",
  },
  lunge: {
    type: "object",
    of: {
      ...IMPEDANCE,
      speed: { type: "number", unit: "m/s", least: 0, default: 0, about: "Speed of the reference along the axis." },
    },
    about: "Law before capture.",
  },
  attenuate: { type: "object", of: IMPEDANCE, about: "Law from capture to rest." },
  align: {
    type: "object",
    of: IMPEDANCE,
    about: "Law while the ring is aligned with the base, and kept where it came to rest along the axis.",
  },
  retract: {
    type: "object",
    of: {
      ...IMPEDANCE,
      speed: { type: "number", unit: "m/s", above: 0, about: "Speed of retraction." },
      position: { type: "number", unit: "m", about: "Displacement along the axis to which the ring is retracted." },
    },
    about: "Law while the ring is retracted, and after it.",
  },
} as const satisfies Parameters;

export type LegControlSettings = ParameterValues<typeof LEG_CONTROL_PARAMETERS>;
