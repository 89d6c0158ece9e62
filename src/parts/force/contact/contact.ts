/** Contact of shapes on bodies or fixed in the world: compliant, with damping and friction. See docs/contact.md. */
import { forceKind } from "../kind.ts";
import { type CarriedCandidate, PER_FRAME } from "./carrier-pair.ts";
import { PAIR_CHANNELS, TOTAL_CHANNELS } from "./contact-channels.ts";
import { ContactDetector } from "./contact-detector.ts";
import { ContactLaw } from "./contact-law.ts";
import { ContactSearch } from "./contact-search.ts";
import { HIT_SIZE } from "./narrow-phase.ts";
import { contactCandidates } from "./pair-kinds.ts";
import { readShapes } from "./shape.ts";
import { CONTACT_SHAPE, KEYS_OF_KIND, shapeAsKind } from "./shape-kinds.ts";
import { describeShape, type ShapePair, shapePairs } from "./shape-pairs.ts";
import { TouchMemory } from "./touch-memory.ts";

/** With more pairs than this, only the channels of the whole element are recorded. */
const MOST_PAIRS_SHOWN = 200;
/** Depth at the start that is attributed to rounding, m. */
const START_DEPTH_ROUNDING = 1e-9;

export const contact = forceKind({
  name: "contact",
  about:
    "Contact of shapes with shapes on other bodies or fixed in the world. At depth d the normal force is N = stiffness d (1 + damping ḋ), " +
    "never negative [Hunt and Crossley 1975]; the law of Hertz has d^1.5 instead of d. Friction is -μ N v / √(v² + creep²) against the " +
    "tangential velocity v, or bristles that stick. Equal and opposite forces act on both bodies at the same point.",
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
    law: { type: "choice", of: ["linear", "hertz"], default: "linear", about: "Dependence of the force on depth: d, or d^1.5." },
    stiffness: {
      type: "number",
      unit: "N/m",
      above: 0,
      about: "Stiffness; by the law of Hertz in N/m^1.5, 4/3 √r E* for a sphere of radius r.",
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
      about: "Speed below which friction decreases to zero, without bristles.",
    },
    bristleBend: {
      type: "number",
      unit: "m",
      least: 0,
      default: 0,
      about: "Deflection of bristles at which they slip: friction sticks with the force μ N bend / bristleBend; zero for none.",
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
      shapes: [{ kind: "edge", on: "hand", at: [0.2, 0.5, 0], to: [0.4, 0.4, 0], heel: 0.02, copies: 3, around: "x" }],
      against: [{ kind: "rim", on: "dock", axis: "x", radius: 0.5, outer: 0.6 }],
      stiffness: 3e5,
      damping: 3,
      friction: 0.1,
      seenFrom: "dock",
    },
  ],
  element(_name, values, note, model, { terrain }) {
    const { pairs, startDepth, seenFrom, ...law } = values;
    const shapes = readShapes("shapes", values.shapes, note, terrain);
    const against = readShapes("against", values.against, note, terrain);
    if (law.bristleTime > 0 && law.bristleBend === 0) note("bristleTime", "there are no bristles to damp", "Give bristleBend");
    if (law.bristleBend > 0 && law.friction === 0) note("bristleBend", "bristles need friction", "Give friction");
    const pairsOfShapes = shapePairs(shapes, against, pairs, model, note);
    const frames = [...new Set(pairsOfShapes.flatMap(({ a, b }) => [a.on, b.on]).concat(seenFrom))].filter(
      (on) => on !== undefined,
    );
    const carrierIndex = (on: string | undefined): number => (on === undefined ? 0 : 1 + frames.indexOf(on));
    const pairOfCandidate: number[] = [];
    const candidates = pairsOfShapes.flatMap(({ a, b }, pair): CarriedCandidate[] =>
      (contactCandidates(a, b) ?? []).map((candidate) => {
        pairOfCandidate.push(pair);
        const [first, second] = candidate.swapped ? [b, a] : [a, b];
        return { ...candidate, firstCarrier: carrierIndex(first.on), secondCarrier: carrierIndex(second.on) };
      }),
    );
    const detector = new ContactDetector(candidates, frames.length);
    const search = new ContactSearch(candidates, frames.length);
    const names = pairsOfShapes.map(({ a, b }) => `${a.label}-${b.label}`);
    const shown = pairsOfShapes.length <= MOST_PAIRS_SHOWN ? names : [];
    const contactLaw = new ContactLaw(detector, candidates, {
      ...law,
      pairOfCandidate,
      shownPairs: shown.length,
      seenFrom: carrierIndex(seenFrom),
    });
    const isWithWorld = pairsOfShapes.some(({ a, b }) => a.on === undefined || b.on === undefined);
    return {
      frames,
      ...(isWithWorld && { needsWorldOrigin: "it has shapes that are fixed in the world" }),
      z0: new Array<number>(contactLaw.stateCount).fill(0),
      channels: [
        ...TOTAL_CHANNELS,
        ...shown.flatMap((name) => PAIR_CHANNELS.map(([key, unit]) => ({ name: `${name}.${key}`, unit }))),
      ],
      drawn: shown.map((name) => ({
        name,
        point: [`${name}.px`, `${name}.py`, `${name}.pz`],
        force: [`${name}.fx`, `${name}.fy`, `${name}.fz`],
      })),
      apply: (s, out) => contactLaw.apply(s, out),
      memory: () => new TouchMemory(candidates.length, PER_FRAME * frames.length),
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
