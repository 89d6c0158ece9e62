/** Force-controlled legs of a docking ring: impedance in the ring's six coordinates, force feedback, and the phases of a docking. */
import { ArgumentError } from "../../../errors.ts";
import { hypotenuse } from "../../../math/elementary/hypotenuse.ts";
import { checkSavedInteger, takeFiniteSaved } from "../../../saved-data.ts";
import type { Controller } from "../../../sim/run/controller.ts";
import type { NumericVec3 } from "../../../spatial/vec3.ts";
import { controllerKind } from "../kind.ts";
import { DockingPhases, HOLD, PHASES, type PhaseMemory } from "./docking-phases.ts";
import { AXIAL, ImpedanceLaw } from "./impedance-law.ts";
import { LEG_CONTROL_PARAMETERS } from "./leg-control-parameters.ts";
import { checkLegs, Platform } from "./platform.ts";
import { WrenchSensor, type WrenchSensorMemory } from "./wrench-sensor.ts";

interface LegControlMemory {
  readonly phases: PhaseMemory;
  readonly sensor: WrenchSensorMemory;
  /** Values of the channels, and why the run ends ("" while it goes on). */
  readonly values: Float64Array;
  ending: string;
}

/** Components of wrenches in the order of spatial vectors. */
const WRENCH = ["tx", "ty", "tz", "fx", "fy", "fz"] as const;

export const legControl = controllerKind({
  name: "leg-control",
  about:
    "Force control of a docking ring on sliding legs. The legs exert the wrench W = clip(K (r - x) + D (ṙ - ẋ), ±most) + gain F on the ring, by " +
    "the Jacobian of the platform: leg forces f with Jᵀ f = W. x is the pose of the ring relative to the base (rotation vector; displacement " +
    "from `home`), from the lengths of the legs; F is the load that a six-axis sensor at the ring shows. All are in axes of the base frame, whose " +
    "x is the docking axis. Phases: `ready` (the law of lunge, without speed) until the sensor shows `contact`; `lunge` (the ring is pushed along " +
    "the axis at `speed`) until all latches are engaged; `attenuate` until the ring is at rest; `align` (r = 0 but along the axis) until it is aligned " +
    "and at rest; `retract` (r moves along the axis to `position` at `speed`) until it is there; `hold`.",
  parameters: LEG_CONTROL_PARAMETERS,
  examples: [
    {
      ...{ motors: "motors", base: "fore", ring: "boom", home: [0.4, 0, 0], limit: 50, brake: "legs" },
      legs: [{ hinge: "slider" }],
      latches: ["latch"],
      sensor: { frame: "boom-tip", noise: [0.1, 1], seed: 3, filter: 0.002, delay: 0.003 },
      lunge: { damping: [5, 5, 5, 50, 50, 50], gain: 1, speed: 0.05, timeout: 9 },
      attenuate: { damping: [20, 20, 20, 400, 400, 400], most: [20, 20, 20, 30, 30, 30] },
      align: { stiffness: [40, 40, 40, 400, 400, 400], damping: [40, 40, 40, 400, 400, 400] },
      retract: { stiffness: [40, 40, 40, 400, 400, 400], damping: [40, 40, 40, 400, 400, 400], speed: 0.02, position: -0.1 },
    },
  ],
  controller(name, values, note, model): Controller<LegControlMemory> {
    const { period, motors, base, ring, legs, limit, brake, sensor: sensing, lunge, attenuate, align, retract } = values;
    checkLegs(legs, model, note);
    if (values.latches.length === 0) note("latches", "must list at least one latch");
    const latches = values.latches.filter((latch) => latch !== undefined);
    const platform = new Platform(base, ring, sensing.frame, values.home as NumericVec3, legs, model);
    const sensor = new WrenchSensor({ period, ...sensing });
    const timeouts = [undefined, ...[lunge, attenuate, align, retract].map(({ timeout }) => timeout), undefined];
    const phases = new DockingPhases({ ...values, latches, retracted: retract.position, timeouts });
    const reading = new Float64Array(6);
    const load = new Float64Array(6);
    const law = new ImpedanceLaw(values);
    const { wrench } = law;
    const forces = new Float64Array(legs.length);

    /** Forces of the legs, reduced together to the limit. Returns the share that is left. */
    function setForces(): number {
      platform.forces(wrench, forces);
      let most = 0;
      for (let i = 0; i < forces.length; i++) most = Math.max(most, Math.abs(forces[i]!));
      return limit === undefined || most <= limit ? 1 : limit / most;
    }

    const restingMemory = (t: number): LegControlMemory => ({
      phases: phases.start(t),
      sensor: sensor.start(),
      values: new Float64Array(CHANNELS.length),
      ending: "",
    });
    return {
      name,
      period,
      commands: [...legs.map(({ hinge }) => `${motors}.${hinge.speedName}`), ...(brake === undefined ? [] : [`${brake}.brake`])],
      frames: platform.frames,
      measures: [...WRENCH.map((part) => `load.${sensing.frame}.${part}`), ...latches.map((latch) => `${latch}.engaged`)],
      channels: CHANNELS,
      start: (_model, s) => restingMemory(s.t),
      update(s, memory, command) {
        const { t, measured } = s;
        if (measured === undefined)
          throw new ArgumentError(
            "controllers",
            "leg-control needs its force sensor: it cannot be used without measured channels",
          );
        platform.take(s);
        sensor.read(measured, memory.sensor, reading);
        platform.fromSensor(s, reading, load);
        const { pose, twist } = platform;
        const now = {
          ...{ t, pose, twist, force: hypotenuse(reading[3]!, reading[4]!, reading[5]!) },
          engaged: measured.subarray(6),
        };
        phases.update(memory.phases, now);
        memory.ending = phases.timedOut(memory.phases, now) ?? "";
        const { phase } = memory.phases;
        law.update(memory.phases, t, platform, load);
        const isBraked = brake !== undefined && phase === HOLD;
        const share = isBraked ? 0 : setForces();
        for (let i = 0; i < legs.length; i++) command[i] = isBraked ? 0 : share * forces[i]!;
        if (brake !== undefined) command[legs.length] = isBraked ? 1 : 0;
        const { values: out } = memory;
        out[0] = phase;
        out[1] = share;
        out[2] = hypotenuse(pose[0]!, pose[1]!, pose[2]!);
        out[3] = hypotenuse(pose[4]!, pose[5]!);
        out[4] = pose[AXIAL]!;
        for (let k = 0; k < 6; k++) {
          out[5 + k] = load[k]!;
          out[11 + k] = share * wrench[k]!;
        }
        return memory;
      },
      finished: ({ ending }) => ending || undefined,
      report: (memory, out) => out.set(memory.values),
      decode(data) {
        const memory = restingMemory(0);
        takeFiniteSaved(memory, data, name);
        checkSavedInteger(memory.phases.phase, 0, PHASES.length - 1, `${name}.phases.phase`);
        checkSavedInteger(memory.sensor.updates, 0, Number.MAX_SAFE_INTEGER, `${name}.sensor.updates`);
        return memory;
      },
    };
  },
});

const unitOf = (part: string): string => (part.startsWith("t") ? "N m" : "N");
const CHANNELS = [
  { name: "phase", unit: "", about: PHASES.map((phase, i) => `${i} ${phase}`).join(", ") },
  { name: "share", unit: "", about: "share of the demanded wrench that the limit of the legs leaves" },
  { name: "tilt", unit: "rad", about: "angle between ring and base" },
  { name: "offset", unit: "m", about: "displacement of the ring across the docking axis" },
  { name: "axial", unit: "m", about: "displacement of the ring along the docking axis" },
  ...WRENCH.map((part) => ({
    name: `sensor.${part}`,
    unit: unitOf(part),
    about: "what the sensor shows, at the ring's origin in base axes",
  })),
  ...WRENCH.map((part) => ({
    name: `wrench.${part}`,
    unit: unitOf(part),
    about: "wrench of the legs on the ring, in base axes",
  })),
];
