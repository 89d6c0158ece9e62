/** Takes momentum out of wheels by thrusters, while another law keeps the attitude with the wheels. */
import { freeFlyer } from "../../../dynamics/free-flying/free-flyer.ts";
import { SingularError } from "../../../errors.ts";
import { quadraticProgram } from "../../../math/optimise/quadratic-program.ts";
import { homeOf } from "../../../model/model.ts";
import type { Controller } from "../../../sim/run/controller.ts";
import { controllerKind } from "../kind.ts";
import { COORDINATION_PARAMETERS } from "../tasks/coordination.ts";

interface WheelDesaturationMemory {
  firing: boolean;
}

/** Numbers of a frame in a snapshot: R (9), position (3), velocities (6). */
const PER_FRAME = 18;

export const wheelDesaturation = controllerKind({
  name: "wheel-desaturation",
  about:
    "Dumps the momentum of reaction wheels by thrusters: from `start` on, and until all wheels are below `stop`, thrusters give the torque " +
    "-gain × (momentum of the wheels) about the mass centre, with as little force beside it as they can, each within its limit " +
    "and never pulling: a quadratic program. Wheels themselves are commanded by the law that keeps the attitude, which answers " +
    "the torque by slowing them down.",
  parameters: {
    period: { type: "number", unit: "s", above: 0, default: 0.1, about: "Time between updates; thrusts are held in between." },
    base: COORDINATION_PARAMETERS.base,
    hinges: { type: "freedoms", about: "Hinges of the wheels." },
    thrusters: {
      type: "list",
      of: {
        thruster: { type: "name", about: "Name of the thruster among the forces." },
        frame: { type: "frame", about: "Frame at whose origin it pushes." },
        direction: { type: "direction", default: "x", about: "Direction of the push in axes of the frame." },
        limit: { type: "number", unit: "N", above: 0, about: "Largest thrust." },
      },
      about: "The thrusters, as they stand among the forces.",
    },
    start: { type: "number", unit: "N m s", above: 0, about: "Momentum of a wheel with which dumping begins." },
    stop: { type: "number", unit: "N m s", least: 0, about: "Momentum of every wheel below which it ends." },
    gain: { type: "number", unit: "1/s", above: 0, default: 0.1, about: "Torque for each unit of momentum." },
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
    const flyer = freeFlyer(model, { ...options, outputs: ["Hphi", "Hm", "Hs"] });
    const { n } = flyer;
    const { robot } = flyer;
    const columns = hinges.map((f) => {
      const at = robot.speeds.indexOf(f.u);
      if (at < 0) note("hinges", `${f.name} is not a hinge of the robot with the base "${robot.base.name}"`);
      else if (f.motion === "slide") note("hinges", `${f.name} slides: a wheel turns`);
      return at;
    });
    if (hinges.length === 0) note("hinges", "must list at least one wheel");
    if (thrusters.length === 0) note("thrusters", "must list at least one thruster");
    if (!(stop < start)) note("stop", "must be less than start");
    flyer.evaluate(homeOf(model), new Float64Array(model.nu));
    const inertia = columns.map((j) => flyer.values.Hphi[j * (n + 1)] ?? 0);
    const { R, p } = robot.base.hinge.onParent; // H_m and H_s are in axes F of the free hinge
    const centre = new Float64Array(3);
    const k = thrusters.length;
    const program = quadraticProgram(k, 0);
    for (const [i, { limit }] of thrusters.entries()) {
      program.xLower[i] = 0;
      program.xUpper[i] = limit;
    }
    const [B, wanted, stored] = [new Float64Array(6 * k), new Float64Array(6), new Float64Array(hinges.length)];
    let fuel = 0;

    /** Torque about the mass centre and force of each thruster, in world axes; torques count by the longest arm. */
    function writeArms(frames: Float64Array): void {
      let longest = 0;
      for (let i = 0; i < k; i++) {
        const at = PER_FRAME * i;
        const d = thrusters[i]!.direction;
        for (let r = 0; r < 3; r++) {
          const row = at + 3 * r;
          B[(3 + r) * k + i] = frames[row]! * d[0] + frames[row + 1]! * d[1] + frames[row + 2]! * d[2];
        }
        let square = 0;
        for (let r = 0; r < 3; r++) {
          const [s, t] = [(r + 1) % 3, (r + 2) % 3];
          const arm = (axis: number): number => frames[at + 9 + axis]! - centre[axis]!;
          B[r * k + i] = arm(s) * B[(3 + t) * k + i]! - arm(t) * B[(3 + s) * k + i]!;
          square += B[r * k + i]! * B[r * k + i]!;
        }
        longest = Math.max(longest, square);
      }
      const weight = longest > 0 ? 1 / longest : 1;
      for (let i = 0; i < k; i++) {
        for (let j = 0; j <= i; j++) {
          let sum = i === j ? THRUST_WEIGHT : 0;
          for (let r = 0; r < 6; r++) sum += (r < 3 ? weight : FORCE_WEIGHT) * B[r * k + i]! * B[r * k + j]!;
          program.G[i * k + j] = sum;
        }
        let sum = THRUST_WEIGHT;
        for (let r = 0; r < 3; r++) sum -= weight * B[r * k + i]! * wanted[r]!;
        program.g[i] = sum;
      }
    }

    /** Where the mass centre is, and the torque that is wanted: against the momentum H_m φ̇ of the wheels. World axes. */
    function look(q: Float64Array, u: Float64Array): void {
      const { Hm, Hs } = flyer.values;
      const place = robot.base.hinge.q + 4;
      const mass = Hs[3 * 6 + 3]!;
      // H_s = [[I, m c̃], [-m c̃, m 1]]
      const moments = [Hs[2 * 6 + 4]!, Hs[5]!, Hs[6 + 3]!];
      for (let r = 0; r < 3; r++) {
        centre[r] = p[r]!;
        wanted[r] = 0;
        for (let c = 0; c < 3; c++) {
          let momentum = 0;
          for (let i = 0; i < columns.length; i++) momentum += Hm[c * n + columns[i]!]! * u[hinges[i]!.u]!;
          wanted[r]! -= gain * R[r]![c]! * momentum;
          centre[r]! += R[r]![c]! * (q[place + c]! + moments[c]! / mass);
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
        { name: "firing", unit: "", about: "1 while momentum is dumped" },
        { name: "impulse", unit: "N s", about: "thrust of all thrusters, summed over time" },
      ],
      start() {
        fuel = 0;
        return { firing: false };
      },
      update(s, memory, command) {
        let most = 0;
        for (let i = 0; i < columns.length; i++) {
          stored[i] = inertia[i]! * s.u[hinges[i]!.u]!;
          most = Math.max(most, Math.abs(stored[i]!));
        }
        if (most > start) memory.firing = true;
        else if (most < stop) memory.firing = false;
        command.fill(0);
        if (!memory.firing) return memory;
        flyer.evaluate(s.q, s.u);
        look(s.q, s.u);
        writeArms(s.frames);
        if (program.solve("warm") !== "optimal") throw new SingularError(`${name}: no thrusts were found at t = ${s.t} s`);
        for (let i = 0; i < k; i++) {
          command[i] = Math.min(thrusters[i]!.limit, Math.max(0, program.x[i]!));
          fuel += command[i]! * period;
        }
        return memory;
      },
      report(memory, out) {
        out[0] = stored.reduce((most, h) => Math.max(most, Math.abs(h)), 0);
        out[1] = memory.firing ? 1 : 0;
        out[2] = fuel;
      },
    };
  },
});

/** What force beside the torque counts, and what thrust itself does, so that opposite thrusters do not fire at each other. */
const FORCE_WEIGHT = 0.1;
const THRUST_WEIGHT = 1e-6;
