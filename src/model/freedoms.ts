/** The freedoms of a model, and the names that parameters may refer to. */
import type { Freedom } from "../declare/freedom.ts";
import type { KnownNames } from "../declare/parse-parameters.ts";
import { coordinateNames, type Model } from "./model.ts";

/** All freedoms, in the order of u. */
export function freedomsOf(model: Model): Freedom[] {
  const names = coordinateNames(model);
  return model.bodies.flatMap(({ hinge }) => {
    const freedoms: Freedom[] = [];
    let q = 0;
    for (const element of hinge.elements) {
      const isBall = element.quaternion !== undefined;
      for (let k = 0; k < element.nu; k++) {
        const speedInHinge = freedoms.length;
        const turnsBall = isBall && k < 3;
        const coordinate = turnsBall ? undefined : q + k + (isBall ? 1 : 0); // a quaternion is one number longer than its turns
        freedoms.push({
          name: coordinate === undefined ? names.u[hinge.u + speedInHinge]! : names.q[hinge.q + coordinate]!,
          speedName: names.u[hinge.u + speedInHinge]!,
          hinge: hinge.name,
          speedInHinge,
          u: hinge.u + speedInHinge,
          coordinateInHinge: coordinate,
          q: coordinate === undefined ? undefined : hinge.q + coordinate,
          ...(turnsBall && { ball: { quaternion: q + element.quaternion, axis: k as 0 | 1 | 2 } }),
          motion: element.units.u[k]!.startsWith("rad") ? "turn" : "slide",
        });
      }
      q += element.nq;
    }
    return freedoms;
  });
}

/** The names that parameters of parts may refer to. */
export const knownNames = (model: Model): KnownNames => ({
  frames: [...model.bodies.map((b) => b.name), ...model.frames.map((f) => f.name)],
  hinges: model.bodies.map((b) => b.hinge.name),
  freedoms: freedomsOf(model),
});
