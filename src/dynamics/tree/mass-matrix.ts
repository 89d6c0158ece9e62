/** The mass matrix by composite bodies [Featherstone 2008, ch. 6]. */
import { add, beginStep, type Scalar } from "../../kernel/trace/scalar.ts";
import { Pose, type PoseTransformable } from "../../spatial/pose.ts";
import { compose, IDENTITY, type Mat3 } from "../../spatial/rotation.ts";
import { plus, type Vec3, ZERO3 } from "../../spatial/vec3.ts";
import type { Force, Motion } from "../../spatial/vectors.ts";
import { hingeColumns } from "./articulated-body.ts";
import { hasSpeedsInLinkAxes, hingeSteps, type Link, rotationFL } from "./link.ts";
import { type LinkTree, linkFrameName } from "./link-tree.ts";

/** M(q), nu rows. The speeds of link `inLinkAxes`, a ball or free hinge, are in its axes instead of F axes. */
export function massMatrix(tree: LinkTree, q: readonly Scalar[], inLinkAxes?: Link): Scalar[][] {
  const inertias = tree.links.map((link) => link.inertia);
  if (isRigid(tree)) return new CompositeBodies(tree, q, inertias, inLinkAxes).massMatrix();
  const tensors = inertias.map((inertia) => inertia.articulated);
  return new CompositeBodies(tree, q, tensors, inLinkAxes).massMatrix();
}

/** Small turns are not orthogonal: behind them a mass depends on the direction, so composites are general tensors. */
const isRigid = (tree: LinkTree): boolean => !tree.links.some((link) => link.element.small);

/** The operations on a composite body that the recursion needs. */
interface Composite<T> extends PoseTransformable<T> {
  times(motion: Motion): Force;
  plus(other: T): T;
  withFrame(frame: string): T;
}

/** A link relative to its station, in the axes of the station. */
interface PlaceAtStation {
  readonly R: Mat3;
  readonly p: Vec3;
  /** Unit motions of the link's hinge. */
  readonly columns: readonly Motion[];
}

/** A link with fewer links on it, itself included, is its own station. Measured by operations, for chains and trees of 4 to 100 hinges. */
const STATION_LINKS = 7;

/**
 * M_ij = S_j · F_i for each link j that carries link i, with F_i = I_i S_i and the inertia I_i of link i and all that it carries. Both factors
 * must be in the same axes, those of a *station*. Near the tips each link is its own station: there S_j is a unit vector, and F_i takes up to
 * 34 operations from each link to the next. Nearer the base one station serves many links: the product takes 11 operations, but each
 * link must be placed at the station, which takes about 80.
 */
class CompositeBodies<T extends Composite<T>> {
  readonly #tree: LinkTree;
  readonly #q: readonly Scalar[];
  readonly #composites: T[];
  /** For each link the rotation from link axes to those of its speeds, if they differ. */
  readonly #turns: readonly (Mat3 | undefined)[];
  /** From the axes of each link's speeds to the axes of its carrier. */
  readonly #poses: readonly Pose[];
  /** For each link the link whose speeds' axes are its station. */
  readonly #stations: readonly number[];
  readonly #places: readonly PlaceAtStation[];
  readonly #M: Scalar[][];

  constructor(tree: LinkTree, q: readonly Scalar[], inertias: readonly T[], inLinkAxes: Link | undefined) {
    const { links, nu } = tree;
    this.#tree = tree;
    this.#q = q;
    this.#composites = [...inertias];
    this.#turns = links.map((link) => (hasSpeedsInLinkAxes(link) || link === inLinkAxes ? undefined : rotationFL(link, q)));
    this.#poses = links.map((link, b) => {
      const { toHinge, alongAxis } = hingeSteps(link, q);
      const steps = this.#turns[b] ? toHinge.slice(0, -1) : [...toHinge, ...alongAxis];
      return new Pose(linkFrameName(tree, link.parent), link.name, steps);
    });
    this.#stations = stationsOf(tree);
    this.#places = this.#placesAtStations();
    this.#M = Array.from({ length: nu }, () => new Array<Scalar>(nu).fill(0));
  }

  massMatrix(): Scalar[][] {
    const { links } = this.#tree;
    for (let b = links.length - 1; b >= 0; b--) {
      const { u, parent, element } = links[b]!;
      const turn = this.#turns[b];
      const composite = turn ? this.#composites[b]!.rotated(turn) : this.#composites[b]!;
      const columns = hingeColumns(links[b]!);
      beginStep(this.#q);
      for (const [d, S] of columns.entries()) {
        const F = composite.times(S); // force for unit u̇_i of the composite
        for (let e = 0; e <= d; e++) this.#set(u + d, u + e, columns[e]!.dot(F));
        this.#set(u + d, u + d, add(this.#M[u + d]![u + d]!, element.armature ?? 0));
        this.#setCarriers(u + d, b, F);
      }
      if (parent < 0) continue;
      beginStep(this.#q);
      const moved = this.#poses[b]!.outward(composite).withFrame(links[parent]!.name);
      this.#composites[parent] = this.#composites[parent]!.plus(moved);
    }
    return this.#M;
  }

  #set(i: number, j: number, value: Scalar): void {
    this.#M[i]![j] = this.#M[j]![i] = value;
  }

  /** Sets the entries of speed i, one of link b, with the speeds of all links that carry b. F_i is in the axes of b's speeds. */
  #setCarriers(i: number, b: number, F_i: Force): void {
    const { links } = this.#tree;
    let F = F_i;
    for (let link = b, a = links[b]!.parent; ; link = a) {
      beginStep(this.#q);
      const station = this.#stations[link]!;
      const { R, p } = this.#places[link]!;
      if (link !== station) F = F.rotated(R).shifted(p).withFrame(links[station]!.name);
      for (a = link === b ? links[b]!.parent : link; a >= 0 && this.#stations[a] === station; a = links[a]!.parent)
        for (const [e, S] of this.#places[a]!.columns.entries()) this.#set(i, links[a]!.u + e, S.dot(F));
      if (a < 0) return;
      F = this.#poses[station]!.outward(F).withFrame(links[a]!.name);
      const turn = this.#turns[a];
      if (turn) F = F.rotated(turn);
    }
  }

  #placesAtStations(): PlaceAtStation[] {
    const { links } = this.#tree;
    const places: PlaceAtStation[] = [];
    for (const [b, link] of links.entries()) {
      const station = this.#stations[b]!;
      const columns = hingeColumns(link);
      if (station === b) {
        places.push({ R: IDENTITY, p: ZERO3, columns });
        continue;
      }
      beginStep(this.#q);
      const carrier = places[link.parent]!;
      const turn = this.#turns[link.parent];
      const { R, p } = this.#poses[b]!.behind(turn ? compose(carrier.R, turn) : carrier.R);
      const offset = plus(carrier.p, p);
      const atStation = columns.map((S) => S.rotated(R).shifted(offset).withFrame(links[station]!.name));
      places.push({ R, p: offset, columns: atStation });
    }
    return places;
  }
}

/**
 * The station of each link. Every link that slides is its own station: about a far-away origin, moments of forces lose digits. So is every link of
 * a tree with small turns, because its axes are not orthogonal.
 */
function stationsOf(tree: LinkTree): number[] {
  const { links } = tree;
  const carried = links.map(() => 1);
  for (let b = links.length - 1; b >= 0; b--) if (links[b]!.parent >= 0) carried[links[b]!.parent]! += carried[b]!;
  const canShare = isRigid(tree);
  const stations: number[] = [];
  for (const { index, parent, element } of links) {
    const isTurning = element.screw !== undefined && element.screw.slide === 0;
    stations.push(canShare && isTurning && parent >= 0 && carried[index]! >= STATION_LINKS ? stations[parent]! : index);
  }
  return stations;
}
