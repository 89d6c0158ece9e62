/** Cost of contact patches: one evaluation of many cubes that lie on each other, and a heap of falling cubes against real time. */
import { createForce, createModel, createSystem, type ForceElement, type Model, simulate } from "castor";
import { workspaceOf } from "../../machines/workspace.ts";
import { cpuMilliseconds } from "../../run/cpu-time.ts";
import { type BatchTiming, timeInTurns, warmUp } from "../../run/interleaved-timing.ts";
import { movingEvaluations } from "./contact-cost.ts";

const SIZES = [20, 50, 100, 200] as const;
const EDGE = 0.2;
/** Cubes per column, distance of the columns, m, and depth at each face, m. */
const [COLUMN, DISTANCE, DEPTH] = [5, 0.5, 1e-4];
const STEADY_MS = 200;
/** Cubes of the heap, duration, s, and number of runs. */
const [HEAP, DURATION, RUNS] = [20, 3, 3];

export interface ColumnsRow {
  readonly bodies: number;
  /** ns per evaluation of the motion: without contact, and with each cube on the one below or on the floor. */
  readonly bare: BatchTiming;
  readonly touching: BatchTiming;
}

export interface HeapResult {
  readonly columns: readonly ColumnsRow[];
  readonly bodies: number;
  readonly duration: number;
  /** Of the fastest run: processor time, s; evaluations, contacts at the end, and the largest drift of the energy. */
  readonly run: number;
  readonly evaluations: number;
  readonly contacts: number;
  readonly energy: number;
}

export const measureHeap = (milliseconds: number): HeapResult => ({
  columns: SIZES.map((n) => measureColumns(n, milliseconds)),
  ...measureFall(),
});

function cubesWithContact(n: number): { readonly model: Model; readonly contact: ForceElement } {
  const names = Array.from({ length: n }, (_, i) => `cube${i}`);
  const inertia = (EDGE * EDGE) / 6;
  const model = createModel({
    name: "cubes",
    gravity: [0, 0, -9.81],
    bodies: names.map((name) => ({ name, mass: 1, inertia: [inertia, inertia, inertia], hinge: { kind: "free" } })),
  });
  const cubes = names.map((name) => ({ kind: "box" as const, name, on: name, size: [EDGE, EDGE, EDGE] as const }));
  const shapes = [...cubes, { kind: "plane" as const, name: "floor" }];
  const contact = createForce(model, {
    ...{ kind: "contact", name: "contact", shapes, law: "pressure", modulus: 2e5 },
    ...{ damping: 5, friction: 0.5, bristleTime: 1e-3 },
  });
  return { model, contact };
}

/** Columns of cubes that are turned against each other, so that the patches have eight corners. */
function measureColumns(n: number, milliseconds: number): ColumnsRow {
  const { model, contact } = cubesWithContact(n);
  const side = Math.ceil(Math.sqrt(n / COLUMN));
  const evaluationsOf = (elements: readonly ForceElement[]) => {
    const system = createSystem(model, elements);
    const { y } = system.start();
    for (let i = 0; i < n; i++) {
      const [column, level] = [Math.floor(i / COLUMN), i % COLUMN];
      const angle = 0.3 * ((i * 7) % 5);
      y.set([Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)], 7 * i);
      y.set([DISTANCE * (column % side), DISTANCE * Math.floor(column / side), (EDGE - DEPTH) * (level + 0.5)], 7 * i + 4);
    }
    return movingEvaluations(workspaceOf(system).problem, y, n);
  };
  const contenders = [
    { name: "bare", run: evaluationsOf([]) },
    { name: "touching", run: evaluationsOf([contact]) },
  ];
  warmUp(contenders, STEADY_MS);
  const [bare, touching] = timeInTurns(contenders, milliseconds) as [BatchTiming, BatchTiming];
  return { bodies: n, bare, touching };
}

/** Cubes that fall on each other from up to 2 m and come to rest. */
function measureFall(): Omit<HeapResult, "columns"> {
  const { model, contact } = cubesWithContact(HEAP);
  const system = createSystem(model, [contact]);
  const next = sequence(1);
  const q = Array.from({ length: HEAP }, (_, i) => {
    const turn = [next(), next(), next(), next()];
    const at = [0.3 * (i % 2) + 0.03 * next(), 0.3 * (Math.floor(i / 2) % 2) + 0.03 * next(), 0.25 + 0.37 * Math.floor(i / 4)];
    return [...turn.map((x) => x / Math.hypot(...turn)), ...at];
  }).flat();
  let best: Omit<HeapResult, "columns"> | undefined;
  for (let r = 0; r < RUNS; r++) {
    let result: ReturnType<typeof simulate> | undefined;
    const milliseconds = cpuMilliseconds(() => {
      result = simulate(system, system.start({ q }), {
        ...{ duration: DURATION, sample: 0.02, integrator: "dopri5", channels: ["contact.count"] },
        settings: { relativeTolerance: 1e-4, absoluteTolerance: 1e-5 },
      });
    });
    const { counts, log, audit } = result!;
    const run = milliseconds / 1000;
    if (best && best.run < run) continue;
    const energy = audit.find(({ channel }) => channel === "energy")!.worst;
    best = {
      ...{ bodies: HEAP, duration: DURATION, run, evaluations: counts.evaluations, energy },
      contacts: log.column("contact.count").at(-1)!,
    };
  }
  return best!;
}

/** Numbers between -0.5 and 0.5 from a linear congruential generator. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (1103515245 * state + 12345) % 2 ** 31;
    return state / 2 ** 31 - 0.5;
  };
}
