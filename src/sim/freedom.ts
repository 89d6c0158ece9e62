/** Freedoms of a model by name: where each stands in q and u, and in its hinge. */
import { coordinateNames, type Model } from "../model/model.ts";

export interface Freedom {
  /** The name of its coordinate in the model, "elbow", "base.x"; without one that of its speed, "base.wx". */
  readonly name: string;
  /** The name of its speed: "elbow", "base.vx". */
  readonly speedName: string;
  readonly hinge: string;
  /** Its speed within the hinge, and in u. */
  readonly part: number;
  readonly u: number;
  /** Its coordinate within the hinge, and in q; a turn of a ball has none of its own. */
  readonly coordinate: number | undefined;
  readonly q: number | undefined;
  /** The ball that it is a turn of: where the quaternion starts within the hinge, and about which axis it turns. */
  readonly ball?: { readonly quaternion: number; readonly axis: 0 | 1 | 2 };
  /** Unit of its coordinate tells a turn from a slide. */
  readonly motion: "turn" | "slide";
}

/** All freedoms, in the order of u. */
export function freedomsOf(model: Model): Freedom[] {
  const names = coordinateNames(model);
  return model.bodies.flatMap(({ hinge }) => {
    const freedoms: Freedom[] = [];
    let q = 0;
    for (const element of hinge.elements) {
      const isBall = element.quaternion !== undefined;
      for (let k = 0; k < element.nu; k++) {
        const part = freedoms.length;
        const turnsBall = isBall && k < 3;
        const coordinate = turnsBall ? undefined : q + k + (isBall ? 1 : 0); // a quaternion is one number longer than its turns
        freedoms.push({
          name: coordinate === undefined ? names.u[hinge.u + part]! : names.q[hinge.q + coordinate]!,
          speedName: names.u[hinge.u + part]!,
          hinge: hinge.name,
          part,
          u: hinge.u + part,
          coordinate,
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
