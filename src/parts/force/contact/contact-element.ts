/** Makes the contact element from its checked values: pairs of shapes, their candidates, detector, law, channels and events. */
import type { Terrain } from "../../../ground/terrain.ts";
import type { Model } from "../../../model/model.ts";
import type { NoteProblem } from "../../../sim/system/create-checked.ts";
import type { ForceElement } from "../../../sim/system/force-element.ts";
import { type CarriedCandidate, PER_FRAME } from "./carrier-pair.ts";
import { PAIR_CHANNELS, PATCH_CHANNELS, TOTAL_CHANNELS } from "./contact-channels.ts";
import { ContactDetector } from "./contact-detector.ts";
import { ContactLaw, type ContactLawOptions } from "./contact-law.ts";
import { ContactSearch } from "./contact-search.ts";
import { HIT_SIZE } from "./narrow-phase.ts";
import { contactCandidates, type DepthLaw, touchOf } from "./pair-kinds.ts";
import { slotCount } from "./patches/grip-slots.ts";
import { patchPictures } from "./patches/patch-pictures.ts";
import { type PatchPair, PatchPairs } from "./pressure/patch-pair.ts";
import { type ContactShapeValues, readShapes } from "./shape.ts";
import { type Apart, describeShape, type ShapePair, shapePairs } from "./shape-pairs.ts";
import { TouchMemory } from "./touch-memory.ts";

/** With more pairs than this, only the channels of the whole element are recorded. */
const MOST_PAIRS_SHOWN = 200;
/** Smallest slip distance of a patch, relative to the inner radius of the elastic solid; of round solids, whose potential is less exact. */
const LEAST_SLIP = 1e-6;
const LEAST_ROUND_SLIP = 1e-5;
/** Depth at the start that is attributed to rounding, m. */
const START_DEPTH_ROUNDING = 1e-9;

/** Values of the parameters that contact.ts declares. */
interface ContactValues {
  readonly shapes: readonly ContactShapeValues[];
  readonly against: readonly ContactShapeValues[];
  readonly pairs: "all" | "in order";
  readonly apart: readonly Apart[];
  readonly law: DepthLaw | undefined;
  readonly stiffness: number | undefined;
  readonly modulus: number | undefined;
  readonly damping: number;
  readonly friction: number;
  readonly creep: number;
  readonly bristleBend: number;
  readonly bristleTime: number;
  readonly seenFrom: string | undefined;
  readonly startDepth: number;
}

export function contactElement(
  values: ContactValues,
  note: NoteProblem,
  model: Model,
  terrain: Terrain | undefined,
): Omit<ForceElement, "name" | "kind"> {
  const { seenFrom } = values;
  const law = values.law ?? (values.stiffness === undefined ? "pressure" : "linear");
  const shapes = readShapes("shapes", values.shapes, note, terrain);
  const against = readShapes("against", values.against, note, terrain);
  const pairs = shapePairs(shapes, against, values, law, model, note);
  const touches = pairs.map(({ a, b }) => touchOf(a, b, law));
  checkValues(values, law, touches, note);
  const frames = [...new Set(pairs.flatMap(({ a, b }) => [a.on, b.on]).concat(seenFrom))].filter((on) => on !== undefined);
  const frameIndex = new Map(frames.map((on, i) => [on, 1 + i]));
  const carrierIndex = (on: string | undefined): number => (on === undefined ? 0 : frameIndex.get(on)!);
  const { candidates, pairOfCandidate } = carriedCandidates(pairs, law, carrierIndex);
  const detector = new ContactDetector(candidates, frames.length);
  const search = new ContactSearch(candidates, frames.length);
  const names = pairs.map(({ a, b }) => `${a.label}-${b.label}`);
  const shown = pairs.length <= MOST_PAIRS_SHOWN ? names : [];
  const channelsOfPair = touches.map((touch) => (touch === "by a patch" ? PATCH_CHANNELS : PAIR_CHANNELS));
  const pairChannels: number[] = [];
  let channelCount = TOTAL_CHANNELS.length;
  for (let pair = 0; pair < shown.length; pair++) {
    pairChannels.push(channelCount);
    channelCount += channelsOfPair[pair]!.length;
  }
  const patchCount = candidates.filter(({ patch }) => patch).length;
  const slots = values.friction > 0 ? slotCount(patchCount, frames.length + 1) : 0;
  const numbers = coefficients(values, law, candidates);
  const contactLaw = new ContactLaw(detector, candidates, {
    ...numbers,
    slots,
    pairOfCandidate,
    pairChannels,
    seenFrom: carrierIndex(seenFrom),
  });
  const isWithWorld = pairs.some(({ a, b }) => a.on === undefined || b.on === undefined);
  return {
    frames,
    ...(isWithWorld && { needsWorldOrigin: "it has shapes that are fixed in the world" }),
    z0: new Array<number>(contactLaw.stateCount).fill(0),
    channels: [
      ...TOTAL_CHANNELS,
      ...shown.flatMap((name, pair) => channelsOfPair[pair]!.map(([key, unit]) => ({ name: `${name}.${key}`, unit }))),
    ],
    drawn: shown.map((name) => ({
      name,
      point: [`${name}.px`, `${name}.py`, `${name}.pz`],
      force: [`${name}.fx`, `${name}.fy`, `${name}.fz`],
    })),
    ...(patchCount > 0 && {
      drawPatches: patchPictures(candidates, numbers.modulus, (candidate) => names[pairOfCandidate[candidate]!]!),
    }),
    apply: (s, out) => contactLaw.apply(s, out),
    memory: () => new TouchMemory(candidates.length, PER_FRAME * frames.length, slots),
    accept: (s) => (s.memory as TouchMemory).take(s, detector),
    restart: (s) => (s.memory as TouchMemory).take(s, detector),
    events: [
      {
        name: "touch",
        value: (s) => detector.signature(s.frames, s.memory as TouchMemory | undefined),
        on: "change",
        needed: "by adaptive steps",
      },
      { name: "touch", value: () => 1, firstIn: (motion) => search.firstIn(motion), happen: (s) => search.happen(s) },
    ],
    startProblems(s) {
      detector.findContacts(s.frames);
      return [...deepestOfPairs(detector, pairOfCandidate)]
        .filter(([, depth]) => depth > values.startDepth + START_DEPTH_ROUNDING)
        .map(([pair, depth]) => startProblem(pairs[pair]!, depth));
    },
  };
}

/** Notes values that are missing, or that have no effect. */
function checkValues(
  { stiffness, modulus, friction, bristleBend, bristleTime }: ContactValues,
  law: DepthLaw,
  touches: readonly ReturnType<typeof touchOf>[],
  note: NoteProblem,
): void {
  const [hasPoints, hasPatches] = [touches.includes("at points"), touches.includes("by a patch")];
  if (stiffness === undefined && (hasPoints || law !== "pressure"))
    note("stiffness", `is missing: the ${law} law needs it`, "Give stiffness, or law: pressure with modulus");
  else if (stiffness === undefined && modulus === undefined)
    note("modulus", "is missing: the pressure law needs it", "Give modulus, or stiffness");
  if (modulus !== undefined && touches.length > 0 && !hasPatches)
    note("modulus", "no pair of these shapes has a contact patch", "Give law: pressure, or leave it out");
  if (bristleTime > 0 && bristleBend === 0 && !hasPatches)
    note("bristleTime", "there are no bristles to damp", "Give bristleBend");
  if (bristleBend > 0 && friction === 0) note("bristleBend", "bristles need friction", "Give friction");
}

/** Candidates of all pairs, and the pair of each. */
function carriedCandidates(
  pairs: readonly ShapePair[],
  law: DepthLaw,
  carrierIndex: (on: string | undefined) => number,
): { readonly candidates: readonly CarriedCandidate[]; readonly pairOfCandidate: readonly number[] } {
  const patchPairs = new PatchPairs();
  const pairOfCandidate: number[] = [];
  const candidates = pairs.flatMap(({ a, b }, pair): CarriedCandidate[] =>
    (contactCandidates(a, b, law, patchPairs) ?? []).map((candidate) => {
      pairOfCandidate.push(pair);
      const [first, second] = candidate.swapped ? [b, a] : [a, b];
      return { ...candidate, firstCarrier: carrierIndex(first.on), secondCarrier: carrierIndex(second.on) };
    }),
  );
  return { candidates, pairOfCandidate };
}

/** The numbers of the law of points, and for each candidate those of the law of patches. */
function coefficients(
  values: ContactValues,
  law: DepthLaw,
  candidates: readonly CarriedCandidate[],
): Omit<ContactLawOptions, "slots" | "pairOfCandidate" | "pairChannels" | "seenFrom"> {
  const { stiffness = 0, damping, friction, creep, bristleBend, bristleTime } = values;
  return {
    law: law === "hertz" ? "hertz" : "linear",
    stiffness,
    damping,
    friction,
    creep,
    bristleBend,
    bristleTime,
    modulus: Float64Array.from(candidates, ({ patch }) => (patch ? modulusOf(patch, law, values) : 0)),
    leastSlip: Float64Array.from(
      candidates,
      ({ patch }) => (patch?.finder.energyShares ? LEAST_ROUND_SLIP : LEAST_SLIP) * (patch?.finder.depth ?? 0),
    ),
    energyShares: candidates.map(({ patch }) => patch?.finder.energyShares),
  };
}

/** Modulus of a patch, Pa: as given, or from the stiffness of points. */
function modulusOf({ area, finder }: PatchPair, law: DepthLaw, { modulus, stiffness = 0 }: ContactValues): number {
  if (modulus !== undefined) return modulus;
  // By Hertz a sphere has the stiffness 4/3 √r E*.
  return law === "hertz" ? (0.75 * stiffness) / Math.sqrt(finder.depth) : (4 * stiffness * finder.depth) / area;
}

/** Depth of each pair that touches, m. */
function deepestOfPairs(
  { count, touching, hits }: ContactDetector,
  pairOfCandidate: readonly number[],
): ReadonlyMap<number, number> {
  const deepest = new Map<number, number>();
  for (let k = 0; k < count; k++) {
    const pair = pairOfCandidate[touching[k]!]!;
    deepest.set(pair, Math.max(deepest.get(pair) ?? 0, hits[HIT_SIZE * k]!));
  }
  return deepest;
}

const formatDepth = (depth: number): string => `${+(1000 * depth).toPrecision(3)} mm`;

const startProblem = ({ a, b }: ShapePair, depth: number): { message: string; advice: string } =>
  Number.isFinite(depth)
    ? {
        message: `${describeShape(a)} and ${describeShape(b)} are ${formatDepth(depth)} deep in each other at the start`,
        advice: `Start further apart; if they never touch, name both in apart; or, if it is intended, allow it with startDepth: ${formatDepth(depth)} or more`,
      }
    : {
        message: `the ground is not known where ${describeShape(a)} starts`,
        advice: "Start elsewhere, or add a layer to the terrain",
      };
