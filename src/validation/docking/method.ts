/** The method of sequential partitioning against the docking study: states of all its models. */

import { dependentCoordinates } from "../../dynamics/partition/dependent-coordinates.ts";
import { partition } from "../../dynamics/partition/partition.ts";
import { type PartitionedLoops, partitionedLoops } from "../../dynamics/partition/partitioned-loops.ts";
import { bodyPoses } from "../../dynamics/programs.ts";
import { compile } from "../../kernel/run/kernel.ts";
import { createModel } from "../../model/build/create-model.ts";
import { rowCount } from "../../model/loop.ts";
import type { Model } from "../../model/model.ts";
import { carriedLoads, loopLoads } from "../../sim/record/frame-loads.ts";
import { apply, type Mat3, transpose } from "../../spatial/rotation.ts";
import type { Vec3 } from "../../spatial/vec3.ts";
import type { Validation, ValidationRow, ValidationTable } from "../validation.ts";
import { CASES, type CaseName, type DockingCase, hingeForces, inOurOrder, isFloating, modelOf, RING_LOAD } from "./cases.ts";
import { BENNETT, numbers, STATES } from "./data.ts";
import { bennett, tiltedFourBar } from "./linkages.ts";
import { describeMechanism, type Mechanism } from "./mechanism.ts";
import { ringWithInnerLoops } from "./nested-loop-models.ts";

/** Tolerance that the study requires. Its own two methods agree to 1e-12. */
const ASKED = 1e-9;
const STUDY =
  "docking study: sequential partitioning and multipliers on the same tree, and absolute coordinates, in two prototypes";

interface SolvedState {
  readonly model: Model;
  readonly loops: PartitionedLoops;
  readonly q: Float64Array;
  readonly u: Float64Array;
  readonly udot: Float64Array;
  readonly lambda: Float64Array;
  readonly reactions: Float64Array;
  speeds(given: readonly number[]): Float64Array;
}

function solveState(
  model: Model,
  given: { readonly q: string; readonly u: string },
  { laws, onRing }: Pick<DockingCase, "laws" | "onRing">,
): SolvedState {
  const { q, speeds } = inOurOrder(model, numbers(given.q));
  const u = speeds(numbers(given.u));
  const wrenches = onRing ? ["ring-com"] : [];
  const w = Float64Array.from(onRing ? RING_LOAD : []);
  const tau = hingeForces(model, laws, q, u);
  const loops = partitionedLoops(model, { wrenches });
  const equations = partition.derive(model, { wrenches });
  const udot = new Float64Array(model.nu);
  const lambda = new Float64Array(loops.rows.length);
  const reactions = new Float64Array(6 * model.bodies.length);
  loops.accelerations(0, q, u, tau, w, udot);
  loops.multipliers(lambda);
  equations.reactions(q, u, tau, w, reactions);
  return { model, loops, q, u, udot, lambda, reactions, speeds };
}

function stateTable(name: CaseName): ValidationTable {
  const given = STATES[name];
  const study: DockingCase = CASES[name];
  const solved = solveState(modelOf(study), given, study);
  const { model, loops, q, u, udot, lambda, reactions, speeds } = solved;
  const row = (
    quantity: string,
    unit: string,
    expected: ArrayLike<number>,
    ours: ArrayLike<number>,
    tolerance = ASKED,
  ): ValidationRow => ({
    quantity,
    unit,
    expected: Array.from(expected),
    ours: Array.from(ours),
    tolerance,
  });
  const { choice } = loops.current!;
  const dependents = choice.stages.flatMap((s) => s.dependents);
  const found = recomputeDependents(model, q, u, dependents);
  const base = carriedLoads(model, q, reactions, lambda).get(isFloating(model) ? "vehicle" : "world")!;
  const virtual = model.bodies.findIndex((b) => b.name === study.virtual);
  return {
    title: `${study.title}${study.own ? ", by the study's executable definitions" : ""}`,
    origin: "independent program",
    rows: [
      row("accelerations of all hinges", "SI", speeds(numbers(given.udot)), udot),
      row("dependent coordinates from the independent ones", "SI", found.given.q, found.ours.q),
      row("dependent speeds from the independent ones", "SI", found.given.u, found.ours.u),
      row("loop forces on T in axes of R", "N", numbers(given.lambda), loopForcesInRoot(solved)),
      row("force, then moment on the base", "N, N m", numbers(given.base), [...base.force, ...base.torque]),
      row("reduced mass matrix A_0", "SI", numbers(given.A0), reducedMatrix(solved)),
      // b_0 of a free vehicle depends on the axes of its speeds, which differ from the study
      ...(isFloating(model) ? [] : [row("reduced right-hand side b_0", "SI", numbers(given.b0), loops.current!.reduced.b)]),
      ...(virtual < 0
        ? []
        : [
            {
              ...row(
                "wrench through the virtual hinge",
                "N, N m",
                [0, 0, 0, 0, 0, 0],
                reactions.subarray(6 * virtual, 6 * virtual + 6),
                1e-10,
              ),
              origin: "closed form" as const,
            },
          ]),
    ],
  };
}

/** Displaces the dependent coordinates and speeds, then computes them again from the independent ones. */
function recomputeDependents(model: Model, q: Float64Array, u: Float64Array, dependents: readonly number[]) {
  const shift = model.nq - model.nu;
  const [q1, u1] = [q.slice(), u.slice()];
  const coordinates = dependentCoordinates(model, 0, q);
  for (const [k, d] of dependents.entries()) {
    q1[d + shift]! += 0.01 * (k % 2 === 0 ? 1 : -1);
    u1[d] = 7;
  }
  coordinates.solve(0, q1);
  coordinates.solveSpeeds(0, q1, u1);
  const pick = (coordinate: Float64Array, speed: Float64Array) => ({
    q: dependents.map((d) => coordinate[d + shift]!),
    u: dependents.map((d) => speed[d]!),
  });
  return { given: pick(q, u), ours: pick(q1, u1) };
}

/** Loop forces in the form of the study: in axes of the last common body of both branches, with the torque of a universal hinge. */
function loopForcesInRoot({ model, loops, q, lambda }: SolvedState): number[] {
  const kernel = compile(bodyPoses(model));
  kernel.x.set(q);
  kernel.evaluate();
  const rotation = (body: number): Mat3<number> =>
    [0, 3, 6].map((k) => [...kernel.y.subarray(12 * body + k, 12 * body + k + 3)]) as unknown as Mat3<number>;
  const loads = loopLoads(model, q, lambda);
  let row = 0;
  return model.loops.flatMap((loop, k) => {
    const first = row;
    row += rowCount(loop);
    const { root } = loops.current!.choice.table.loops[k]!;
    const { force } = loads.get(loop.name)!;
    const inRoot = root! < 0 ? force : (apply(transpose(rotation(root!)), force) as Vec3<number>);
    if (loop.kind === "point-on-line") return planarComponents(model, loop.name, inRoot);
    return loop.kind === "universal" ? [...inRoot, lambda[first + 3]!] : [...inRoot];
  });
}

/** The two components in the plane of the loop: x and y of the root, or of the frame of a four-bar that is rotated on it. */
function planarComponents(model: Model, loop: string, force: Vec3<number>): number[] {
  const turned = { "four-bar": "drive", inner1: "rocker1" }[loop];
  const E = model.bodies.find((b) => b.name === turned)?.hinge.onParent.R as Mat3<number> | undefined;
  const [x, y] = E ? apply(transpose(E), force) : force;
  return [x as number, y as number];
}

/** A_0 over the study's speeds: u of Castor = T u of the study, so Tᵀ A_0 T. */
function reducedMatrix({ loops, model, speeds }: SolvedState): number[] {
  const { choice, reduced } = loops.current!;
  const n = choice.independents.length;
  const T = Array.from({ length: n }, (_, j) =>
    speeds(Array.from({ length: model.nu }, (_, i) => (i === j ? 1 : 0))).slice(0, n),
  );
  const A = (i: number, j: number): number => reduced.A[i * n + j]!;
  return T.flatMap((a) =>
    T.map((b) => a.reduce((sum, ai, i) => sum + ai * b.reduce((inner, bj, j) => inner + A(i, j) * bj, 0), 0)),
  );
}

interface Overconstrained {
  readonly title: string;
  readonly mechanism: Mechanism;
  readonly laws: DockingCase["laws"];
  readonly onRing?: true;
  readonly state: { readonly q: string; readonly u: string; readonly udot: string };
  /** Equations, rank, freedoms. */
  readonly counts: readonly [number, number, number];
}

const TILT: Mat3<number> = [
  [0.34692944965489897, -0.681632986593423, -0.644217687237691],
  [0.7070625945451848, 0.6413670487431938, -0.2978435767000479],
  [0.6162000035355246, -0.35217152124238593, 0.7044663052755917],
];

const OVERCONSTRAINED: readonly Overconstrained[] = [
  {
    title: "a four-bar tilted in space, closed by a whole revolute",
    mechanism: tiltedFourBar(TILT),
    laws: CASES.a.laws,
    state: STATES.a,
    counts: [5, 2, 1],
  },
  {
    title: "Bennett's linkage",
    mechanism: bennett(),
    laws: {},
    state: BENNETT,
    counts: [5, 2, 1],
  },
  {
    title: "d1 with its inner loops closed by whole revolutes",
    mechanism: ringWithInnerLoops({ base: "floating", closing: "revolute" }),
    laws: CASES.d1.laws,
    onRing: true,
    state: STATES.d1,
    counts: [28, 22, 12],
  },
];

function overconstrainedTable({ title, mechanism, laws, onRing, state, counts }: Overconstrained): ValidationTable {
  const model = createModel(describeMechanism(mechanism, "elementary"));
  const { loops, q, udot, speeds } = solveState(model, state, { laws, ...(onRing && { onRing }) });
  const { rank } = loops.rankAt(0, q);
  return {
    title: `Redundant equations: ${title}`,
    origin: "independent program",
    rows: [
      {
        quantity: "equations, rank, freedoms",
        unit: "",
        origin: "closed form",
        expected: counts,
        ours: [loops.rows.length, rank, loops.current!.choice.independents.length],
        tolerance: 0.5,
      },
      {
        quantity: "accelerations of all hinges",
        unit: "SI",
        expected: [...speeds(numbers(state.udot))],
        ours: [...udot],
        tolerance: ASKED,
      },
    ],
  };
}

export const dockingMethod: Validation = {
  name: "docking-method",
  title: "Docking mechanisms: loops by sequential partitioning, state by state",
  source: STUDY,
  scenario: "docking-ring-6-legs",
  tables: async () => [...(Object.keys(CASES) as CaseName[]).map(stateTable), ...OVERCONSTRAINED.map(overconstrainedTable)],
};
