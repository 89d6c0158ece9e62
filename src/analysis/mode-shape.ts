/** What a mode looks like: lines along the bodies, and how their points move in it. */
import { frameJacobian, framePose, placeLinks } from "../dynamics/kinematics.ts";
import { machineOf } from "../dynamics/machine.ts";
import { coordinateNames, frameOf } from "../model/model.ts";
import { apply } from "../spatial/rotation.ts";
import { cross, plus, type Vec3 } from "../spatial/vec3.ts";
import type { Linearisation } from "./linearise.ts";
import type { Mode } from "./modes.ts";

type V3 = Vec3<number>;

export interface ModePicture {
  /** Points in the world, m. */
  readonly points: readonly V3[];
  /** Pairs of points that are joined. */
  readonly lines: readonly (readonly [number, number])[];
  /** For each mode and point the real and imaginary part of its motion. */
  readonly motions: readonly (readonly { readonly re: V3; readonly im: V3 }[])[];
}

/** Each body by lines from its origin to what it carries, to its frames and to its mass centre. */
export function pictureOf({ model, q }: Linearisation, modes: readonly Mode[]): ModePicture {
  const machine = machineOf(model);
  const placed = placeLinks(machine, Array.from(q));
  const points: V3[] = [];
  const lines: [number, number][] = [];
  const motions: { re: V3; im: V3 }[][] = modes.map(() => []);
  for (const body of model.bodies) {
    const { R, p } = framePose(machine, placed, frameOf(model, body.name)) as { R: never; p: V3 };
    const J = frameJacobian(machine, placed, frameOf(model, body.name)) as number[][];
    const onBody: V3[] = [
      [0, 0, 0],
      ...model.bodies.filter((b) => b.parent === body.index).map((b) => b.hinge.onParent.p),
      ...model.frames.filter((f) => f.body === body.index).map((f) => f.placement.p),
    ];
    if (onBody.length === 1) onBody.push(body.com.map((c) => 2 * c) as unknown as V3); // the far end of a symmetric body
    const first = points.length;
    for (const [k, at] of onBody.entries()) {
      if (k > 0) lines.push([first, first + k]);
      const arm = apply(R, at) as V3;
      points.push(plus(p, arm) as V3);
      for (const [i, mode] of modes.entries()) {
        const moved = (shape: Float64Array): V3 => {
          const [wx, wy, wz, vx, vy, vz] = J.map((row) => row.reduce((sum, v, j) => sum + v * shape[j]!, 0)) as number[];
          return plus([vx!, vy!, vz!], cross([wx!, wy!, wz!], arm)) as V3;
        };
        motions[i]!.push({ re: moved(mode.shape), im: moved(mode.shapeIm) });
      }
    }
  }
  return { points, lines, motions };
}

/** The freedoms that take most of the kinetic energy of a mode, with their shares. */
export function sharesOf(
  { model, basis, m, mass }: Linearisation,
  { shape }: Mode,
): readonly { readonly name: string; readonly share: number }[] {
  const names = coordinateNames(model).u;
  // M in the space of speeds acts on the shape through the basis: Zᵀ shape are the independent changes.
  const sigma = Float64Array.from({ length: m }, (_, j) => names.reduce((sum, _, i) => sum + basis[i * m + j]! * shape[i]!, 0));
  const force = Float64Array.from({ length: m }, (_, i) => sigma.reduce((sum, v, j) => sum + mass[i * m + j]! * v, 0));
  const shares = names.map((name, i) => {
    let momentum = 0;
    for (let j = 0; j < m; j++) momentum += basis[i * m + j]! * force[j]!;
    return { name, share: Math.abs(shape[i]! * momentum) };
  });
  const total = shares.reduce((sum, s) => sum + s.share, 0) || 1;
  return shares.map(({ name, share }) => ({ name, share: share / total })).sort((a, b) => b.share - a.share);
}
