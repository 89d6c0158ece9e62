/** Elastic bodies in bent shape: smooth curves along the edges of their sections, from the links that they consist of. */

import type { BodyShape } from "../model/body-shape.ts";
import type { Body, Model } from "../model/model.ts";
import type { NumericVec3 } from "../spatial/vec3.ts";
import type { BodyCurve } from "./body-curve.ts";

/** A link that was cut from a rod: a box or a cylinder along x from its origin. */
interface CutLink {
  readonly body: number;
  readonly length: number;
  /** Half the section along y and z. Zero for a round section, of which only the centre line is drawn. */
  readonly half: readonly [number, number];
}

/** The curves of all elastic bodies, and the bodies that they represent. */
export function elasticCurves(model: Model): { readonly curves: readonly BodyCurve[]; readonly drawn: ReadonlySet<number> } {
  const drawn = new Set<number>();
  const curves = model.springs.flatMap(({ joints }) => {
    const links = elasticLinks(
      model,
      joints.map((j) => j.hinge),
    );
    if (links === undefined) return [];
    for (const { body } of links) drawn.add(body);
    return edgeCurves(links);
  });
  return { curves, drawn };
}

/** The links of a chain of hinges if they form an elastic body (each link begins where the one before it ends); otherwise undefined. */
function elasticLinks(model: Model, hinges: readonly string[]): readonly CutLink[] | undefined {
  const followers = hinges.map((name) => model.bodies.find((b) => b.hinge.name === name)!);
  const root = model.bodies[followers[0]?.parent ?? -1];
  if (root === undefined) return undefined;
  const bodies = [root, ...followers];
  const links: CutLink[] = [];
  for (const [k, body] of bodies.entries()) {
    const next = bodies[k + 1];
    if (next && next.parent !== body.index) return undefined;
    const end = next?.hinge.onParent.p;
    const link = cutLink(body, end?.[0]);
    if (link === undefined || (end && (end[1] !== 0 || end[2] !== 0))) return undefined;
    links.push(link);
  }
  return links;
}

function cutLink({ index, shapes, mass }: Body, end: number | undefined): CutLink | undefined {
  if (shapes.length === 0) return end === 0 && mass === 0 ? { body: index, length: 0, half: [0, 0] } : undefined; // a joint at the root
  const [shape] = shapes;
  const length = shape && lengthAlongX(shape);
  if (
    shape === undefined ||
    length === undefined ||
    shapes.length > 1 ||
    (end !== undefined && Math.abs(end - length) > 1e-9 * length)
  )
    return undefined;
  return { body: index, length, half: shape.kind === "box" ? [shape.size[1] / 2, shape.size[2] / 2] : [0, 0] };
}

function lengthAlongX(shape: BodyShape): number | undefined {
  const length = shape.kind === "box" ? shape.size[0] : shape.kind === "cylinder" ? shape.length : undefined;
  const { p } = shape.placement;
  return length !== undefined && Math.abs(p[0] - length / 2) <= 1e-9 * length && p[1] === 0 && p[2] === 0 ? length : undefined;
}

/** Curves through the middle of every link, tangent to it. The joints are control points, where tangents meet. The end faces are drawn flat. */
function edgeCurves(links: readonly CutLink[]): BodyCurve[] {
  const { half } = links.at(-1)!;
  const sides: readonly (readonly [number, number])[] = half[0] === 0 ? [[0, 0]] : [[-1, -1], [1, -1], [1, 1], [-1, 1]]; // biome-ignore format: corners
  const pointOn = ({ body, length, half: [y, z] }: CutLink, share: number, [a, b]: readonly [number, number]) => ({
    body,
    at: [share * length, a * y, b * z] as NumericVec3,
  });
  const edges = sides.map(
    (side): BodyCurve => ({
      kind: "smooth",
      elastic: true,
      points: links.flatMap((link, k) => {
        const next = links[k + 1];
        const points = [pointOn(link, k === 0 ? 0 : next ? 0.5 : 1, side)];
        return next ? [points, [pointOn(link, 1, side), pointOn(next, 0, side)]] : [points];
      }),
    }),
  );
  if (half[0] === 0) return edges;
  const ends = [
    [links[0]!, 0],
    [links.at(-1)!, 1],
  ] as const;
  return [
    ...edges,
    ...ends.map(
      ([link, share]): BodyCurve => ({
        kind: "straight",
        elastic: true,
        points: [...sides, sides[0]!].map((side) => [pointOn(link, share, side)]),
      }),
    ),
  ];
}
