/** Desaturation of reaction wheels by thrusters, while another law holds the attitude with the wheels. */
import { freeFlyer } from "../../../dynamics/free-flying/free-flyer.ts";
import { robotOf } from "../../../dynamics/free-flying/robot.ts";
import { SingularError } from "../../../errors.ts";
import { lazy } from "../../../kernel/run/lazy.ts";
import { homeOf } from "../../../model/model.ts";
import { takeFiniteSaved } from "../../../saved-data.ts";
import type { Controller } from "../../../sim/run/controller.ts";
import { controllerKind } from "../kind.ts";
import { COORDINATION_PARAMETERS } from "../tasks/coordination.ts";
import { ThrusterAllocation } from "./thruster-allocation.ts";

interface WheelDesaturationMemory {
  firing: boolean;
  /** Largest momentum of a wheel, and thrust of all thrusters, integrated over time. */
  momentum: number;
  impulse: number;
  /** Thrusters at a limit in the last solution: first guess for the next. */
  readonly atLimit: Int8Array;
}

const restingMemory = (thrusters: number): WheelDesaturationMemory => ({
  firing: false,
  momentum: 0,
  impulse: 0,
  atLimit: new Int8Array(thrusters),
});

export const wheelDesaturation = controllerKind({
  name: "wheel-desaturation",
  about:
    "Reduces the momentum of reaction wheels by thrusters. When a wheel exceeds `start`, and until all wheels are below `stop`, the " +
    "thrusters give the torque -gain × (momentum of the wheels) about the mass centre, with as little net force as possible, each " +
    "between zero and its limit: a quadratic program. The wheels themselves are commanded by the law that holds the attitude, which " +
    "compensates the torque by slowing them down.",
  parameters: {
    period: { type: "number", unit: "s", above: 0, default: 0.1, about: "Time between updates; thrusts are held in between." },
    base: COORDINATION_PARAMETERS.base,
    hinges: { type: "freedoms", about: "Hinges of the wheels." },
    thrusters: {
      type: "list",
      of: {
        thruster: { type: "name", about: "Name of the thruster among the forces." },
        frame: { type: "frame", about: "Frame at whose origin the thruster pushes." },
        direction: { type: "direction", default: "x", about: "Direction of the push in axes of the frame." },
        limit: { type: "number", unit: "N", above: 0, about: "Largest thrust." },
      },
      about: "The thrusters, as declared among the forces.",
    },
    start: { type: "number", unit: "N m s", above: 0, about: "Momentum of a wheel at which desaturation begins." },
    stop: { type: "number", unit: "N m s", least: 0, about: "Momentum below which all wheels are when desaturation ends." },
    gain: { type: "number", unit: "1/s", above: 0, default: 0.1, about: "Torque per unit of momentum." },
  },
  examples: [
    {
      hinges: ["wrist"],
      thrusters: [
        { thruster: "left", frame: "dock", direction: "y", limit: 2 },
        { thruster: "right", frame: "hull", direction: [0, -1, 0], limit: 2 },
      ],
      start: 2,
      stop: 0.2,
    },
  ],
  controller(name, values, note, model): Controller<WheelDesaturationMemory> {
    const { period, hinges, thrusters, start, stop, gain } = values;
    const options = values.base === undefined ? {} : { base: values.base };
    const robot = robotOf(model, values.base);
    const n = robot.speeds.length;
    const columns = hinges.map((f) => {
      const index = robot.speeds.indexOf(f.u);
      if (index < 0) note("hinges", `${f.name} is not a hinge of the robot with the base "${robot.base.name}"`);
      else if (f.motion === "slide") note("hinges", `${f.name} slides: a wheel turns`);
      return index;
    });
    if (hinges.length === 0) note("hinges", "must list at least one wheel");
    if (thrusters.length === 0) note("thrusters", "must list at least one thruster");
    if (!(stop < start)) note("stop", "must be less than start");
    /** The robot, and the moments of inertia of its wheels; compiled when a run starts. */
    const compiled = lazy(() => {
      const flyer = freeFlyer(model, { ...options, outputs: ["Hphi", "Hm", "Hs"] });
      flyer.evaluate(homeOf(model), new Float64Array(model.nu));
      return { flyer, inertia: columns.map((j) => flyer.values.Hphi[j * (n + 1)]!) };
    });
    const { R, p } = robot.base.hinge.onParent; // H_m and H_s are in axes F of the free hinge
    const centre = new Float64Array(3);
    const allocation = new ThrusterAllocation(thrusters);
    const torque = new Float64Array(3);

    /** Writes the position of the mass centre and the demanded torque, opposite to the momentum H_m φ̇ of the wheels. World axes. */
    function evaluateRobot(q: Float64Array, u: Float64Array): void {
      const { flyer } = compiled();
      flyer.evaluate(q, u);
      const { Hm, Hs } = flyer.values;
      const firstPosition = robot.base.hinge.q + 4;
      const mass = Hs[3 * 6 + 3]!;
      // H_s = [[I, m c̃], [-m c̃, m 1]]
      const moments = [Hs[2 * 6 + 4]!, Hs[5]!, Hs[6 + 3]!];
      for (let r = 0; r < 3; r++) {
        centre[r] = p[r]!;
        torque[r] = 0;
        for (let c = 0; c < 3; c++) {
          let momentum = 0;
          for (let i = 0; i < columns.length; i++) momentum += Hm[c * n + columns[i]!]! * u[hinges[i]!.u]!;
          torque[r]! -= gain * R[r]![c]! * momentum;
          centre[r]! += R[r]![c]! * (q[firstPosition + c]! + moments[c]! / mass);
        }
      }
    }

    return {
      name,
      period,
      commands: thrusters.map(({ thruster }) => `${thruster}.thrust`),
      frames: thrusters.map(({ frame }) => frame),
      channels: [
        { name: "momentum", unit: "N m s", about: "largest momentum of a wheel" },
        { name: "firing", unit: "", about: "1 while momentum is reduced" },
        { name: "impulse", unit: "N s", about: "thrust of all thrusters, integrated over time" },
      ],
      start: () => restingMemory(thrusters.length),
      update(s, memory, command) {
        const { inertia } = compiled();
        let most = 0;
        for (let i = 0; i < columns.length; i++) most = Math.max(most, Math.abs(inertia[i]! * s.u[hinges[i]!.u]!));
        memory.momentum = most;
        if (most > start) memory.firing = true;
        else if (most < stop) memory.firing = false;
        command.fill(0);
        if (!memory.firing) return memory;
        evaluateRobot(s.q, s.u);
        if (!allocation.solve(torque, centre, s.frames, memory.atLimit))
          throw new SingularError(`${name}: no thrusts were found at t = ${s.t} s`);
        for (let i = 0; i < thrusters.length; i++) {
          command[i] = allocation.thrusts[i]!;
          memory.impulse += command[i]! * period;
        }
        return memory;
      },
      report(memory, out) {
        out[0] = memory.momentum;
        out[1] = memory.firing ? 1 : 0;
        out[2] = memory.impulse;
      },
      decode(data) {
        const memory = restingMemory(thrusters.length);
        takeFiniteSaved(memory, data, name);
        return memory;
      },
    };
  },
});
