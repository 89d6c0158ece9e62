/** Ghosts: faint copies of the machine at equal intervals of time. */
import { Group, Mesh, MeshBasicMaterial } from "three";
import { roundNumberBelow, setBodyPose, threeDigits } from "../geometry/drawing.ts";
import { massCentre } from "../geometry/mass-centre.ts";
import type { Layer } from "../layer.ts";
import { bodyGroups } from "./bodies.ts";

const ABOUT = 8;

export const ghostsLayer: Layer = {
  id: "ghosts",
  title: "Ghosts",
  shownByDefault: false,
  onlyWith: "run",
  create(context) {
    const { scenario, palette, motion, extent } = context;
    const every = roundNumberBelow(scenario.duration / ABOUT);
    const material = new MeshBasicMaterial({ color: palette.bodies[2]!, transparent: true, opacity: 0.13, depthWrite: false });
    const object = new Group();
    const templates = bodyGroups(context);
    const posture = (): Group[] => templates.map((template) => faintCopy(template, material));
    const still = new Float64Array(3);
    let shownUntil = -1;
    return {
      object,
      legend: () => `a ghost every ${threeDigits(every)} s`,
      update({ origin, log, logChanged: grown }) {
        if (grown && log) {
          const count = Math.floor(log.endTime / every + 1e-9) + 1;
          if (count < shownUntil) {
            object.clear();
            shownUntil = 0;
          }
          for (let k = Math.max(0, shownUntil); k < count; k++) object.add(new Group().add(...posture()));
          shownUntil = count;
          for (const [k, group] of object.children.entries()) {
            const { poses } = motion.at(k * every);
            const about = extent.comoving ? massCentre(scenario.model, poses) : still;
            for (const [body, copy] of group.children.entries()) setBodyPose(copy, poses, body, about as Float64Array);
          }
        }
        if (!extent.comoving) object.position.set(-origin[0]!, -origin[1]!, -origin[2]!);
      },
    };
  },
};

/** A copy of a body's group in one faint material, without edges. It cannot be selected. */
export function faintCopy(template: Group, material: MeshBasicMaterial): Group {
  const copy = template.clone();
  const lines: typeof copy.children = [];
  copy.traverse((part) => {
    part.userData = {};
    if (part instanceof Mesh) part.material = material;
    else if (!(part instanceof Group)) lines.push(part);
  });
  for (const line of lines) line.removeFromParent();
  return copy;
}
