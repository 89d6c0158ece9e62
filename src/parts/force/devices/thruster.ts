/** Thrusters: a force at a frame, by a schedule or by command. */
import { max, min, mul } from "../../../kernel/trace/scalar.ts";
import { apply } from "../../../spatial/rotation.ts";
import { dot, scale, ZERO3 } from "../../../spatial/vec3.ts";
import { forceKind } from "../kind.ts";
import { stepSchedule } from "./input-schedule.ts";

export const thruster = forceKind({
  name: "thruster",
  about:
    "Force at the origin of a frame along `direction` in its axes: the push on the vehicle, opposite to the jet. The held input " +
    "`thrust` comes from the schedule or from a controller; negative thrust counts as zero. The mass does not change.",
  acts: "from outside",
  parameters: {
    frame: { type: "frame", about: "Frame or body at whose origin the thruster pushes." },
    direction: { type: "direction", default: "x", about: "Direction of the push in axes of the frame." },
    limit: { type: "number", unit: "N", above: 0, optional: true, about: "Largest thrust; unlimited if not given." },
    schedule: {
      type: "table",
      columns: ["time", "thrust"],
      units: { x: "s", y: "N" },
      rows: 1,
      optional: true,
      about: "Thrust known in advance: each row is held from its time on.",
    },
  },
  examples: [
    {
      frame: "dock",
      direction: [1, 0.2, 0],
      limit: 2,
      schedule: [
        [0, 1],
        [0.5, 0],
        [3, 2],
        [4, 0],
      ],
    },
    { frame: "hand" },
  ],
  element(_name, { frame, direction, limit, schedule }, note) {
    if (schedule?.y.some((thrust) => thrust < 0))
      note("schedule", "a thruster cannot pull", "Give a thrust of zero or more, and reverse the direction");
    return {
      frames: [frame],
      held: ["thrust"],
      ...stepSchedule(schedule),
      trace(s, out) {
        const { R, v } = s.frame(frame);
        const demandedThrust = max(0, s.held[0]!);
        const thrust = limit === undefined ? demandedThrust : min(limit, demandedThrust);
        const axis = apply(R, direction);
        out.wrench(frame, ZERO3, scale(thrust, axis));
        out.supplied(mul(thrust, dot(axis, v)));
        out.channel("thrust", "N", thrust);
      },
    };
  },
});
