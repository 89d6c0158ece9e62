/** Which freedoms a mode is made of. */
import { coordinateNames, type Model } from "../../model/model.ts";
import type { Linearisation } from "../linearise.ts";
import type { Mode } from "./modes.ts";

export interface EnergyShare {
  readonly name: string;
  readonly share: number;
}

/** The freedoms by the kinetic energy that they take of a mode, largest first. */
export function energyShares({ model, basis, m, mass }: Linearisation, { shape }: Mode): readonly EnergyShare[] {
  const names = coordinateNames(model).u;
  // M in the space of speeds acts on the shape through the basis: Zᵀ shape are the independent changes.
  const sigma = new Float64Array(m);
  for (let i = 0; i < names.length; i++) for (let j = 0; j < m; j++) sigma[j]! += basis[i * m + j]! * shape[i]!;
  const force = new Float64Array(m);
  for (let i = 0; i < m; i++) for (let j = 0; j < m; j++) force[i]! += mass[i * m + j]! * sigma[j]!;
  const shares = names.map((name, i) => {
    let momentum = 0;
    for (let j = 0; j < m; j++) momentum += basis[i * m + j]! * force[j]!;
    return { name, share: Math.abs(shape[i]! * momentum) };
  });
  const total = shares.reduce((sum, s) => sum + s.share, 0) || 1;
  return shares.map(({ name, share }) => ({ name, share: share / total })).sort((a, b) => b.share - a.share);
}

/** Less is not worth a word. */
const SMALLEST_SHARE = 0.1;

/** The largest shares in words; the joints of an elastic body together where they are too many to be told one by one. */
export function dominantFreedoms(model: Model, shares: readonly EnergyShare[]): string {
  const chosen = largestShares(shares);
  const told = chosen.reduce((sum, { share }) => sum + share, 0);
  const words = told > 0.5 ? chosen : largestShares(mergeElasticJoints(model, shares));
  return words.map(({ name, share }) => `${name} ${Math.round(100 * share)} %`).join(", ");
}

const largestShares = (shares: readonly EnergyShare[]): readonly EnergyShare[] =>
  shares.slice(0, 3).filter(({ share }) => share >= SMALLEST_SHARE);

/** "boom-17.ry" and the like of all joints as "boom.ry". */
function mergeElasticJoints(model: Model, shares: readonly EnergyShare[]): readonly EnergyShare[] {
  const bodyOf = new Map(model.springs.flatMap(({ name, joints }) => joints.map(({ hinge }) => [hinge, name] as const)));
  const sums = new Map<string, number>();
  for (const { name, share } of shares) {
    const dot = name.lastIndexOf(".");
    const hinge = bodyOf.has(name) || dot < 0 ? name : name.slice(0, dot);
    const group = (bodyOf.get(hinge) ?? hinge) + name.slice(hinge.length);
    sums.set(group, (sums.get(group) ?? 0) + share);
  }
  return [...sums].map(([name, share]) => ({ name, share })).sort((a, b) => b.share - a.share);
}
