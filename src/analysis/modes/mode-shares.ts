/** Shares of the freedoms in the kinetic energy of a mode. */
import { coordinateNames, type Model } from "../../model/model.ts";
import type { Linearisation } from "../linearise.ts";
import type { Mode } from "./modes.ts";

export interface EnergyShare {
  readonly name: string;
  readonly share: number;
}

/** Freedoms by their share of the kinetic energy of a mode, largest first. */
export function energyShares({ model, basis, m, mass }: Linearisation, { shape }: Mode): readonly EnergyShare[] {
  const names = coordinateNames(model).u;
  // The shape in independent changes is σ = Zᵀ shape; M acts on it there.
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

/** Smaller shares are not listed. */
const SMALLEST_SHARE = 0.1;

/** The largest shares in words. The joints of an elastic body are summed if single joints do not explain half of the energy. */
export function dominantFreedoms(model: Model, shares: readonly EnergyShare[]): string {
  const largest = largestShares(shares);
  const explained = largest.reduce((sum, { share }) => sum + share, 0);
  const listed = explained > 0.5 ? largest : largestShares(mergeElasticJoints(model, shares));
  return listed.map(({ name, share }) => `${name} ${Math.round(100 * share)} %`).join(", ");
}

const largestShares = (shares: readonly EnergyShare[]): readonly EnergyShare[] =>
  shares.slice(0, 3).filter(({ share }) => share >= SMALLEST_SHARE);

/** Sums "boom-17.ry" and the like over all joints to "boom.ry". */
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
