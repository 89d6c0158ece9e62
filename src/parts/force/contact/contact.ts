/** Contact of shapes on bodies or fixed in the world: compliant, with damping and friction. See docs/contact.md. */
import { forceKind } from "../kind.ts";
import { type CarriedCandidate, PER_FRAME } from "./carrier-pair.ts";
import { PAIR_CHANNELS, PATCH_CHANNELS, TOTAL_CHANNELS } from "./contact-channels.ts";
import { ContactDetector } from "./contact-detector.ts";
import { ContactLaw } from "./contact-law.ts";
import { ContactSearch } from "./contact-search.ts";
import { slotCount } from "./grip-slots.ts";
import { HIT_SIZE } from "./narrow-phase.ts";
import { contactCandidates, type DepthLaw, touchOf } from "./pair-kinds.ts";
import { type PatchPair, PatchPairs } from "./pressure/patch-pair.ts";
import { readShapes } from "./shape.ts";
import { CONTACT_SHAPE, KEYS_OF_KIND, shapeAsKind } from "./shape-kinds.ts";
import { describeShape, type ShapePair, shapePairs } from "./shape-pairs.ts";
import { TouchMemory } from "./touch-memory.ts";

/** With more pairs than this, only the channels of the whole element are recorded. */
const MOST_PAIRS_SHOWN = 200;
/** Smallest slip distance of a patch, relative to the inner radius of the elastic solid; of round solids, whose potential is less exact. */
const LEAST_SLIP = 1e-6;
const LEAST_ROUND_SLIP = 1e-5;
/** Depth at the start that is attributed to rounding, m. */
const START_DEPTH_ROUNDING = 1e-9;

export const contact = forceKind({
  name: "contact",
  about:
    "Contact of shapes with shapes on other bodies or fixed in the world. At depth d the normal force is N = stiffness d (1 + damping ḋ), " +
    "never negative [Hunt and Crossley 1975]; the law of Hertz has d^1.5 instead of d. Friction is -μ N v / √(v² + creep²) against the " +
    "tangential velocity v, or bristles that stick. Solids that touch by faces and edges have a contact patch with the pressure modulus d / H, " +
    "H being the inner radius of one of them, and friction that sticks. Equal and opposite forces act on both bodies at the same point.",
  acts: "between bodies",
  asKind: shapeAsKind,
  parameters: {
    shapes: { type: "list", of: CONTACT_SHAPE, kinds: KEYS_OF_KIND, about: "Shapes that touch others." },
    against: {
      type: "list",
      of: CONTACT_SHAPE,
      kinds: KEYS_OF_KIND,
      default: [],
      about: "Shapes that `shapes` touch; without them, the shapes on different bodies touch each other.",
    },
    pairs: {
      type: "choice",
      of: ["all", "in order"],
      default: "all",
      about:
        "Pairs: each of `shapes` with each of `against`, or the first with the first, the second with the second, and so on.",
    },
    law: {
      type: "choice",
      of: ["linear", "hertz", "pressure"],
      optional: true,
      about:
        "Dependence of the force on depth: d, or d^1.5, at contact points; or pressure on contact patches of solids. Linear if a stiffness is given, " +
        "otherwise pressure. Pairs of solids that points do not describe completely (boxes with boxes, hulls, cylinders) always have patches.",
    },
    stiffness: {
      type: "number",
      unit: "N/m",
      above: 0,
      optional: true,
      about:
        "Stiffness of contact points; by the law of Hertz in N/m^1.5, 4/3 √r E* for a sphere of radius r. Patches without a modulus have the modulus " +
        "4 stiffness H / A with the area A = V^(2/3) of the elastic solid: a cube on a face is as stiff as on four points.",
    },
    modulus: {
      type: "number",
      unit: "Pa",
      above: 0,
      optional: true,
      about:
        "Modulus of the pressure law: the pressure of a patch is modulus × depth / H, with H the inner radius of the elastic solid.",
    },
    damping: {
      type: "number",
      unit: "s/m",
      least: 0,
      default: 0,
      about: "Relative increase of the force per m/s of approach; 1.5 (1 - restitution) / impact speed is a reasonable value.",
    },
    friction: { type: "number", unit: "", least: 0, default: 0, about: "Coefficient of friction μ." },
    creep: {
      type: "number",
      unit: "m/s",
      above: 0,
      default: 0.002,
      about: "Speed below which friction at points decreases to zero, without bristles.",
    },
    bristleBend: {
      type: "number",
      unit: "m",
      least: 0,
      default: 0,
      about:
        "Deflection of bristles at contact points at which they slip: friction sticks with the force μ N bend / bristleBend; zero for none. " +
        "Friction of patches always sticks.",
    },
    bristleTime: {
      type: "number",
      unit: "s",
      least: 0,
      default: 0,
      about: "Time constant of bristle damping: their force is that of bend + bristleTime d(bend)/dt, within μ N.",
    },
    seenFrom: {
      type: "frame",
      optional: true,
      about: "Frame in whose axes, and about whose origin, the sum of all forces is recorded; the world if not given.",
    },
    startDepth: {
      type: "number",
      unit: "m",
      least: 0,
      default: 0,
      about: "Depth that is allowed at the start of a scenario, for shapes that start at rest on others.",
    },
  },
  examples: [
    {
      shapes: [{ kind: "sphere", on: "hand", at: [0.1, 0, 0], radius: 0.05 }],
      against: [{ kind: "plane", on: "hull", at: [0.5, 0, 0], axis: "x" }],
      stiffness: 1e4,
      damping: 0.5,
      friction: 0.4,
    },
    {
      shapes: [
        { kind: "capsule", on: "upper", to: [0.4, 0, 0], radius: 0.05 },
        { kind: "capsule", on: "boom", to: [0.3, 0, 0], radius: 0.04 },
        { kind: "capsule", on: "hand", to: [0.2, 0, 0], radius: 0.03 },
      ],
      law: "hertz",
      stiffness: 1e6,
      damping: 1,
      friction: 0.3,
      bristleBend: 1e-5,
      bristleTime: 0.01,
    },
    {
      shapes: [
        { kind: "box", on: "hand", size: [0.2, 0.3, 0.4] },
        { kind: "cylinder", on: "boom", at: [0.1, 0, 0], axis: "x", radius: 0.2, length: 0.5 },
        {
          kind: "hull",
          on: "upper",
          points: [
            [0, 0, 0],
            [0.3, 0, 0],
            [0, 0.3, 0],
            [0, 0, 0.3],
          ],
        },
        { kind: "plane", at: [0, 0, -0.2] },
      ],
      law: "pressure",
      modulus: 1e5,
      damping: 1,
      friction: 0.3,
    },
    {
      shapes: [{ kind: "edge", on: "hand", at: [0.2, 0.5, 0], to: [0.4, 0.4, 0], heel: 0.02, copies: 3, around: "x" }],
      against: [{ kind: "rim", on: "dock", axis: "x", radius: 0.5, outer: 0.6 }],
      stiffness: 3e5,
      damping: 3,
      friction: 0.1,
      seenFrom: "dock",
    },
  ],
  element(_name, values, note, model, { terrain }) {
    const { pairs, startDepth, seenFrom, damping, friction, creep, bristleBend, bristleTime } = values;
    const law = values.law ?? (values.stiffness === undefined ? "pressure" : "linear");
    const shapes = readShapes("shapes", values.shapes, note, terrain);
    const against = readShapes("against", values.against, note, terrain);
    const pairsOfShapes = shapePairs(shapes, against, pairs, law, model, note);
    const touches = pairsOfShapes.map(({ a, b }) => touchOf(a, b, law));
    const [hasPoints, hasPatches] = [touches.includes("at points"), touches.includes("by a patch")];
    if (values.stiffness === undefined && (hasPoints || law !== "pressure"))
      note("stiffness", `is missing: the ${law} law needs it`, "Give stiffness, or law: pressure with modulus");
    else if (values.stiffness === undefined && values.modulus === undefined)
      note("modulus", "is missing: the pressure law needs it", "Give modulus, or stiffness");
    if (values.modulus !== undefined && touches.length > 0 && !hasPatches)
      note("modulus", "no pair of these shapes has a contact patch", "Give law: pressure, or leave it out");
    if (bristleTime > 0 && bristleBend === 0 && !hasPatches)
      note("bristleTime", "there are no bristles to damp", "Give bristleBend");
    if (bristleBend > 0 && friction === 0) note("bristleBend", "bristles need friction", "Give friction");
    const patchPairs = new PatchPairs();
    const frames = [...new Set(pairsOfShapes.flatMap(({ a, b }) => [a.on, b.on]).concat(seenFrom))].filter(
      (on) => on !== undefined,
    );
    const carrierIndex = (on: string | undefined): number => (on === undefined ? 0 : 1 + frames.indexOf(on));
    const pairOfCandidate: number[] = [];
    const candidates = pairsOfShapes.flatMap(({ a, b }, pair): CarriedCandidate[] =>
      (contactCandidates(a, b, law, patchPairs) ?? []).map((candidate) => {
        pairOfCandidate.push(pair);
        const [first, second] = candidate.swapped ? [b, a] : [a, b];
        return { ...candidate, firstCarrier: carrierIndex(first.on), secondCarrier: carrierIndex(second.on) };
      }),
    );
    const detector = new ContactDetector(candidates, frames.length);
    const search = new ContactSearch(candidates, frames.length);
    const names = pairsOfShapes.map(({ a, b }) => `${a.label}-${b.label}`);
    const shown = pairsOfShapes.length <= MOST_PAIRS_SHOWN ? names : [];
    const channelsOfPair = touches.map((touch) => (touch === "by a patch" ? PATCH_CHANNELS : PAIR_CHANNELS));
    const pairChannels: number[] = [];
    let channelCount = TOTAL_CHANNELS.length;
    for (let pair = 0; pair < shown.length; pair++) {
      pairChannels.push(channelCount);
      channelCount += channelsOfPair[pair]!.length;
    }
    const modulus = Float64Array.from(candidates, ({ patch }) => (patch ? modulusOf(patch, law, values) : 0));
    const patchCount = candidates.filter(({ patch }) => patch).length;
    const slots = friction > 0 ? slotCount(patchCount, frames.length + 1) : 0;
    const contactLaw = new ContactLaw(detector, candidates, {
      law: law === "hertz" ? "hertz" : "linear",
      stiffness: values.stiffness ?? 0,
      damping,
      friction,
      creep,
      bristleBend,
      bristleTime,
      modulus,
      leastSlip: Float64Array.from(
        candidates,
        ({ patch }) => (patch?.finder.energyShares ? LEAST_ROUND_SLIP : LEAST_SLIP) * (patch?.finder.depth ?? 0),
      ),
      energyShares: candidates.map(({ patch }) => patch?.finder.energyShares),
      slots,
      pairOfCandidate,
      pairChannels,
      seenFrom: carrierIndex(seenFrom),
    });
    const isWithWorld = pairsOfShapes.some(({ a, b }) => a.on === undefined || b.on === undefined);
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
        const deepest = new Map<number, number>();
        for (let k = 0; k < detector.count; k++) {
          const pair = pairOfCandidate[detector.touching[k]!]!;
          deepest.set(pair, Math.max(deepest.get(pair) ?? 0, detector.hits[HIT_SIZE * k]!));
        }
        return [...deepest]
          .filter(([, depth]) => depth > startDepth + START_DEPTH_ROUNDING)
          .map(([pair, depth]) => startProblem(pairsOfShapes[pair]!, depth));
      },
    };
  },
});

/** Modulus of a patch, Pa: as given, or from the stiffness of points. */
function modulusOf(
  { area, finder }: PatchPair,
  law: DepthLaw,
  { modulus, stiffness = 0 }: { readonly modulus: number | undefined; readonly stiffness: number | undefined },
): number {
  if (modulus !== undefined) return modulus;
  // By Hertz a sphere has the stiffness 4/3 √r E*.
  return law === "hertz" ? (0.75 * stiffness) / Math.sqrt(finder.depth) : (4 * stiffness * finder.depth) / area;
}

const formatDepth = (depth: number): string => `${+(1000 * depth).toPrecision(3)} mm`;

const startProblem = ({ a, b }: ShapePair, depth: number): { message: string; advice: string } =>
  Number.isFinite(depth)
    ? {
        message: `${describeShape(a)} and ${describeShape(b)} are ${formatDepth(depth)} deep in each other at the start`,
        advice: `Start further apart; or, if it is intended, allow it with startDepth: ${formatDepth(depth)} or more`,
      }
    : {
        message: `the ground is not known where ${describeShape(a)} starts`,
        advice: "Start elsewhere, or add a layer to the terrain",
      };
