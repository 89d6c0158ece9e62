/** Contact of shapes that ride on bodies, or stand in the world: compliant, with damping and friction. See docs/contact.md. */
import { frameOf, type Model } from "../../../model/model.ts";
import type { NoteProblem } from "../../../sim/system/create-checked.ts";
import { forceKind } from "../kind.ts";
import { type CarriedCandidate, ContactDetector } from "./contact-detector.ts";
import { ContactLaw } from "./contact-law.ts";
import { contactCandidates, partnerKinds } from "./pair-kinds.ts";
import { type ContactShape, readShapes } from "./shape.ts";
import { CONTACT_SHAPE, KEYS_OF_KIND, shapeAsKind } from "./shape-kinds.ts";

/** More pairs than this have no channels of their own, only their sum. */
const MOST_PAIRS_SHOWN = 200;
const MOST_PAIRS = 100_000;
/** Shapes that are this deep in each other at the start are there by rounding, m. */
const START_DEPTH_ROUNDING = 1e-9;

export const contact = forceKind({
  name: "contact",
  about:
    "Contact of shapes with shapes on other bodies or fixed in the world. At depth d: N = stiffness d (1 + damping ḋ), never negative " +
    "[Hunt and Crossley 1975], with d^1.5 for d by the law of Hertz; friction -μ N v / √(v² + creep²) against the velocity v along the " +
    "contact, or bristles that stick. Both bodies feel opposite forces at the same point.",
  acts: "between bodies",
  asKind: shapeAsKind,
  parameters: {
    shapes: { type: "list", of: CONTACT_SHAPE, kinds: KEYS_OF_KIND, about: "Shapes that touch." },
    against: {
      type: "list",
      of: CONTACT_SHAPE,
      kinds: KEYS_OF_KIND,
      default: [],
      about: "Shapes that they touch; if there are none, shapes on different bodies touch each other.",
    },
    pairs: {
      type: "choice",
      of: ["all", "in order"],
      default: "all",
      about: "Each of `shapes` with each of `against`, or the first with the first, the second with the second, and so on.",
    },
    law: { type: "choice", of: ["linear", "hertz"], default: "linear", about: "Force over depth: d, or d^1.5." },
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
      about: "The force grows by this part for each m/s inwards; 1.5 (1 - restitution) / impact speed is a fair value.",
    },
    friction: { type: "number", unit: "", least: 0, default: 0, about: "Coefficient of friction μ." },
    creep: {
      type: "number",
      unit: "m/s",
      above: 0,
      default: 0.002,
      about: "Speed below which friction gives way, without bristles.",
    },
    bristleBend: {
      type: "number",
      unit: "m",
      least: 0,
      default: 0,
      about: "Friction that sticks: how far bristles bend before they slip, friction μ N bend / bristleBend; zero for none.",
    },
    bristleTime: {
      type: "number",
      unit: "s",
      least: 0,
      default: 0,
      about: "Damping of the bristles: their force is that of bend + bristleTime d(bend)/dt, within μ N.",
    },
    seenFrom: {
      type: "frame",
      optional: true,
      about: "Frame in whose axes, and about whose origin, the sum of all forces is given; the world if not given.",
    },
    startDepth: {
      type: "number",
      unit: "m",
      least: 0,
      default: 0,
      about: "Depth that is allowed at the start of a scenario: for what begins at rest on something.",
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
    if (law.bristleTime > 0 && law.bristleBend === 0)
      note("bristleTime", "there are no bristles to be damped", "Give bristleBend");
    if (law.bristleBend > 0 && law.friction === 0) note("bristleBend", "bristles need friction", "Give friction");
    const met = shapePairs(shapes, against, pairs, model, note);
    const frames = [...new Set(met.flatMap(({ a, b }) => [a.on, b.on]).concat(seenFrom))].filter((on) => on !== undefined);
    const place = (on: string | undefined): number => (on === undefined ? 0 : 1 + frames.indexOf(on));
    const owners: number[] = [];
    const meetings = met.flatMap(({ a, b }, pair): CarriedCandidate[] =>
      (contactCandidates(a, b) ?? []).map((meeting) => {
        owners.push(pair);
        const [first, second] = meeting.swapped ? [b, a] : [a, b];
        return { ...meeting, firstOn: place(first.on), secondOn: place(second.on) };
      }),
    );
    const contacts = new ContactDetector(meetings, frames.length);
    const names = met.map(({ a, b }) => `${a.label}-${b.label}`);
    const shown = met.length <= MOST_PAIRS_SHOWN ? names : [];
    const acting = new ContactLaw(contacts, meetings, { ...law, owners, pairs: shown.length, seenFrom: place(seenFrom) });
    return {
      frames,
      z0: new Array<number>(acting.stateCount).fill(0),
      channels: [
        ...TOTAL_CHANNELS,
        ...shown.flatMap((name) => PAIR_CHANNELS.map(([key, unit]) => ({ name: `${name}.${key}`, unit }))),
      ],
      drawn: shown.map((name) => ({
        name,
        point: [`${name}.px`, `${name}.py`, `${name}.pz`],
        force: [`${name}.fx`, `${name}.fy`, `${name}.fz`],
      })),
      apply: (s, out) => acting.apply(s, out),
      events: [{ name: "touch", value: (s) => contacts.signature(s.frames), on: "change", needed: "by adaptive steps" }],
      startProblems(s) {
        contacts.findContacts(s.frames);
        const deepest = new Map<number, number>();
        for (let k = 0; k < contacts.count; k++) {
          const pair = owners[contacts.touching[k]!]!;
          deepest.set(pair, Math.max(deepest.get(pair) ?? 0, contacts.hits[7 * k]!));
        }
        return [...deepest]
          .filter(([, depth]) => depth > startDepth + START_DEPTH_ROUNDING)
          .map(([pair, depth]) => startProblem(met[pair]!, depth));
      },
    };
  },
});

/** Channels of the whole element, and of each pair; contact/law.ts writes them in this order. */
const TOTAL_CHANNELS = [
  { name: "count", unit: "" },
  { name: "depth", unit: "m" },
  { name: "load", unit: "N" },
  { name: "fx", unit: "N" },
  { name: "fy", unit: "N" },
  { name: "fz", unit: "N" },
  { name: "tx", unit: "N m" },
  { name: "ty", unit: "N m" },
  { name: "tz", unit: "N m" },
  { name: "absorbed", unit: "J" },
] as const;
const PAIR_CHANNELS = [
  ["depth", "m"],
  ["load", "N"],
  ["fx", "N"],
  ["fy", "N"],
  ["fz", "N"],
  ["px", "m"],
  ["py", "m"],
  ["pz", "m"],
] as const;

const describeShape = ({ kind, label, on }: ContactShape): string =>
  `${kind} ${label} ${on === undefined ? "in the world" : `on ${on}`}`;
const formatDepth = (depth: number): string => `${+(1000 * depth).toPrecision(3)} mm`;

interface ShapePair {
  readonly a: ContactShape;
  readonly b: ContactShape;
}

const startProblem = ({ a, b }: ShapePair, depth: number): { message: string; advice: string } =>
  Number.isFinite(depth)
    ? {
        message: `${describeShape(a)} and ${describeShape(b)} are ${formatDepth(depth)} deep in each other at the start`,
        advice: `Start further apart; or allow it, where it is meant, with startDepth: ${formatDepth(depth)} or more`,
      }
    : {
        message: `where ${describeShape(a)} starts, the ground is not known`,
        advice: "Start elsewhere, or add a layer to the terrain",
      };

/** Who meets whom. What cannot meet is noted. */
function shapePairs(
  shapes: readonly ContactShape[],
  against: readonly ContactShape[],
  how: string,
  model: Model,
  note: NoteProblem,
): readonly ShapePair[] {
  const carrier = ({ on }: ContactShape): number => (on === undefined ? -1 : frameOf(model, on).body);
  const among = against.length === 0;
  if (how === "in order" && shapes.length !== against.length) {
    note("pairs", `in order there must be as many shapes as there are against, not ${shapes.length} and ${against.length}`);
    return [];
  }
  if (shapes.length === 0) note("shapes", "there are none");
  const count = among
    ? (shapes.length * (shapes.length - 1)) / 2
    : how === "all"
      ? shapes.length * against.length
      : shapes.length;
  if (count > MOST_PAIRS) {
    note("shapes", `at most ${MOST_PAIRS} pairs, these are ${count}`, "Make several elements of them");
    return [];
  }
  const pairs = among
    ? shapes.flatMap((a, i) => shapes.slice(i + 1).map((b): ShapePair => ({ a, b })))
    : how === "all"
      ? shapes.flatMap((a) => against.map((b): ShapePair => ({ a, b })))
      : shapes.map((a, i): ShapePair => ({ a, b: against[i]! }));
  const moving = pairs.filter(({ a, b }) => carrier(a) !== carrier(b));
  const together = pairs.find(({ a, b }) => carrier(a) === carrier(b));
  if (!among && together)
    note(
      "against",
      `${describeShape(together.a)} and ${describeShape(together.b)} are on the same body, and never move against each other`,
    );
  else if (among && shapes.length > 0 && moving.length === 0)
    note("shapes", "there must be shapes on two bodies, or shapes that they are against", "Give against");
  const told = new Set<string>();
  for (const { a, b } of moving) {
    const kinds = `${a.kind} ${b.kind}`;
    if (told.has(kinds)) continue;
    told.add(kinds);
    if (contactCandidates(a, b) === undefined) {
      const can = (kind: ContactShape["kind"]): string => `${kind} with ${partnerKinds(kind).join(", ")}`;
      const advice = `There are pairs of ${can(a.kind)}${a.kind === b.kind ? "" : `; of ${can(b.kind)}`}`;
      note(
        among ? "shapes" : "against",
        `no pair of ${describeShape(a)} and ${describeShape(b)}: ${a.kind} with ${b.kind} is not there`,
        advice,
      );
    } else if (a.kind === "edge" && b.kind === "edge" && !a.out && !b.out)
      note("shapes", `${describeShape(a)} and ${describeShape(b)}: where edges meet, one must say what is outside`, "Give out");
  }
  return moving;
}
