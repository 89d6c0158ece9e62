/** Clearance of bodies: the shortest distance of their shapes, as channels. It exerts no force. */
import { forceKind } from "../../kind.ts";
import { readShapes } from "../shape.ts";
import { CONTACT_SHAPE, KEYS_OF_KIND, shapeAsKind } from "../shape-kinds.ts";
import { ClearanceLaw, framesOf, groupByBodies, POINT_CHANNELS } from "./clearance-law.ts";
import { clearancePairs } from "./clearance-pairs.ts";

export const clearance = forceKind({
  name: "clearance",
  about:
    "Shortest distance between bodies, from shapes that are declared as those of `contact`; it exerts no force. It has the channel `smallest`, " +
    "and for each pair of bodies a channel BODY-BODY and the nearest points on both (BODY-BODY.ax to .az on the first, .bx to .bz on the " +
    "second; world axes). Overlapping shapes have a negative distance: of round ones (spheres, capsules) down to minus the sum of their " +
    "radii, of others 0, from a plane the full depth. A limit with `least` keeps watch on it: see `limits` of scenarios.",
  acts: "between bodies",
  asKind: shapeAsKind,
  parameters: {
    shapes: {
      type: "list",
      of: CONTACT_SHAPE,
      kinds: KEYS_OF_KIND,
      about:
        "Convex shapes: point, sphere, capsule, edge, box, cone, disc with a thickness, plane, and other solids without hollows.",
    },
    against: {
      type: "list",
      of: CONTACT_SHAPE,
      kinds: KEYS_OF_KIND,
      default: [],
      about:
        "Shapes from which the distance of each of `shapes` is measured; without them, the shapes on different bodies are measured " +
        "against each other, except bodies that a hinge joins.",
    },
  },
  examples: [
    {
      shapes: [
        { kind: "capsule", on: "fore", to: [0.4, 0, 0], radius: 0.05 },
        { kind: "sphere", on: "hand", at: [0.1, 0, 0], radius: 0.08 },
      ],
      against: [{ kind: "box", on: "hull", size: [1, 0.8, 0.6] }],
    },
    {
      shapes: [
        { kind: "capsule", on: "upper", to: [0.4, 0, 0], radius: 0.05 },
        { kind: "box", on: "boom", size: [0.3, 0.1, 0.1], rpy: [0.1, 0.2, 0.3] },
        { kind: "cone", on: "hand", radius: 0.1, length: 0.2 },
      ],
    },
  ],
  element(_name, values, note, model, { terrain }) {
    const shapes = readShapes("shapes", values.shapes, note, terrain);
    const against = readShapes("against", values.against, note, terrain);
    const pairs = clearancePairs(shapes, against, model, note);
    const groups = groupByBodies(pairs, model);
    const frames = framesOf(pairs);
    const law = new ClearanceLaw(groups, frames);
    return {
      frames,
      channels: [
        { name: "smallest", unit: "m" },
        ...groups.flatMap(({ name }) => ["", ...POINT_CHANNELS].map((key) => ({ name: `${name}${key}`, unit: "m" }))),
      ],
      apply: (s, out) => law.write(s.frames, out.channels),
    };
  },
});
