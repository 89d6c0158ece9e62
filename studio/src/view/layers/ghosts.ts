/** Ghosts: faint copies of the machine at equal intervals of time. */
import { Group, Mesh, MeshBasicMaterial } from "three";
import { roundNumberBelow, setBodyPose, threeDigits } from "../geometry/drawing.ts";
import { massCentre } from "../geometry/mass-centre.ts";
import type { Layer } from "../layer.ts";
import { bodyGroups } from "./bodies.ts";

const GHOST_COUNT = 8;

export const ghostsLayer: Layer = {
  id: "ghosts",
  title: "Ghosts",
  shownByDefault: false,
  onlyWith: "run",
  create(context) {
    const { scenario, palette, motion, extent } = context;
    const interval = roundNumberBelow(scenario.duration / GHOST_COUNT);
    const material = faintMaterial(palette.bodies[2]!, 0.13);
    const object = new Group();
    const templates = bodyGroups(context);
    const posture = (): Group[] => templates.map((template) => faintCopy(template, material));
    const worldOrigin = new Float64Array(3);
    let shownCount = -1;
    return {
      object,
      legend: () => `a ghost every ${threeDigits(interval)} s`,
      update({ origin, log, logChanged }) {
        if (logChanged && log) {
          const count = Math.floor(log.endTime / interval + 1e-9) + 1;
          if (count < shownCount) {
            object.clear();
            shownCount = 0;
          }
          for (let k = Math.max(0, shownCount); k < count; k++) object.add(new Group().add(...posture()));
          shownCount = count;
          for (const [k, group] of object.children.entries()) {
            const { poses } = motion.at(k * interval);
            const reference = extent.comoving ? massCentre(scenario.model, poses) : worldOrigin;
            for (const [body, copy] of group.children.entries()) setBodyPose(copy, poses, body, reference as Float64Array);
          }
        }
        if (!extent.comoving) object.position.set(-origin[0]!, -origin[1]!, -origin[2]!);
      },
    };
  },
};

/** A translucent material behind everything in the same place, so that a copy in the place of its body does not flicker. */
export const faintMaterial = (color: string, opacity: number): MeshBasicMaterial =>
  new MeshBasicMaterial({
    color,
    transparent: true,
    opacity,
    depthWrite: false,
    polygonOffset: true,
    polygonOffsetFactor: 2,
    polygonOffsetUnits: 8,
  });

/** A copy of a body's group in one faint material, without edges. It cannot be selected. */
export function faintCopy(template: Group, material: MeshBasicMaterial): Group {
  const copy = template.clone();
  const lines: typeof copy.children = [];
  copy.traverse((part) => {
    part.userData = {};
    if (part instanceof Mesh) Object.assign(part, { material, castShadow: false, receiveShadow: false });
    else if (!(part instanceof Group)) lines.push(part);
  });
  for (const line of lines) line.removeFromParent();
  return copy;
}
