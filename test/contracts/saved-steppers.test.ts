/** Every stepper can be saved and restored: the steps that follow are bit-identical. */
import { describe, expect, test } from "vitest";
import { ArgumentError, FormatError } from "../../src/errors.ts";
import { INTEGRATORS, type IntegratorName } from "../../src/sim/integrators/index.ts";
import type { InitialValueProblem, Integrator, IntegratorOptions, Stepper } from "../../src/sim/integrators/integrator.ts";
import { expectRefusal, expectSameAfterRestore } from "../fixtures/saved-steppers.ts";
import { asymmetricTop } from "../oracles/asymmetric-top.ts";

interface Case {
  readonly problem: InitialValueProblem;
  readonly y0: readonly number[];
  /** Step of fixed-step integrators, and tolerance of adaptive ones. */
  readonly step: number;
  readonly tolerance: number;
}

const body = asymmetricTop([1, 2, 3], 0.3, 0.9);

const CASES: Readonly<Record<string, Case>> = {
  "pendulum with an integral": {
    problem: {
      size: 3,
      coordinates: 1,
      integrals: 1,
      derivative: (t, y, ydot) => {
        ydot[0] = y[1]!;
        ydot[1] = -Math.sin(y[0]!) - 0.1 * y[1]! + 0.3 * Math.cos(3 * t);
        ydot[2] = 0.1 * y[1]! ** 2;
      },
    },
    y0: [1, 0, 0],
    step: 0.05,
    tolerance: 1e-8,
  },
  "top with projection": {
    problem: { size: 7, derivative: body.derivative, project: body.project },
    y0: [...body.stateAt(0)],
    step: 0.02,
    tolerance: 1e-9,
  },
  "stiff spring chain": {
    problem: {
      size: 8,
      coordinates: 4,
      derivative: (t, y, ydot) => {
        for (let i = 0; i < 4; i++) {
          const left = i === 0 ? 0 : y[i - 1]!;
          const right = i === 3 ? Math.sin(t) : y[i + 1]!;
          ydot[i] = y[4 + i]!;
          ydot[4 + i] = 100 * (left - 2 * y[i]! + right) - 1000 * y[4 + i]! * (1 + y[i]! ** 2);
        }
      },
    },
    y0: [0.3, -0.2, 0.1, 0.4, 1, 0, -1, 2],
    step: 2e-4,
    tolerance: 1e-6,
  },
  "van der Pol with its Jacobian": {
    problem: {
      size: 2,
      coordinates: 1,
      derivative: (_t, y, ydot) => {
        ydot[0] = y[1]!;
        ydot[1] = 300 * (1 - y[0]! ** 2) * y[1]! - y[0]!;
      },
      jacobian: (_t, y, J) => J.set([0, 1, -600 * y[0]! * y[1]! - 1, 300 * (1 - y[0]! ** 2)]),
    },
    y0: [2, 0],
    step: 5e-4,
    tolerance: 1e-7,
  },
  "brake that grips and releases": {
    problem: {
      size: 2,
      derivative: (t, y, ydot) => {
        ydot[0] = y[1]!;
        ydot[1] = -400 * Math.sin(y[0]!) - (Math.floor(20 * t) % 2 === 1 ? 2e4 : 0) * y[1]!;
      },
    },
    y0: [1, 0],
    step: 2e-5,
    tolerance: 1e-6,
  },
};

const optionsOf = ({ adaptive }: Integrator, { step, tolerance }: Case): IntegratorOptions =>
  adaptive ? { relativeTolerance: tolerance, absoluteTolerance: tolerance } : { step };

/** Free steps, steps that are cut at an end, output inside steps, jumps of the state, and restarts at the same state. */
function mixed(stepper: Stepper, k: number): void {
  const { t, previous } = stepper;
  const size = Math.max(t - previous, 1e-6);
  const out = new Float64Array(stepper.y.length);
  if (k % 11 === 7) {
    const y = stepper.y.slice();
    y[y.length - 1]! += 1e-3;
    stepper.restart(t, y);
  }
  if (k % 13 === 9) stepper.restart(t, stepper.y.slice());
  stepper.step(k % 3 === 1 ? t + 0.37 * size : k % 5 === 2 ? t + 2.6 * size : 1e6);
  if (k % 4 === 1) stepper.interpolate(stepper.previous + 0.4 * (stepper.t - stepper.previous), out);
}

const free = (stepper: Stepper): void => stepper.step(1e6);

/** Output inside the last step before each step. */
function interpolating(stepper: Stepper, k: number): void {
  const { t, previous } = stepper;
  const out = new Float64Array(stepper.y.length);
  for (const part of t > previous ? [0.2, 0.9] : []) {
    stepper.interpolate(previous + part * (t - previous), out);
    outputs.set(`${k} ${part}`, outputs.get(`${k} ${part}`) ?? out.slice());
    expect(out).toEqual(outputs.get(`${k} ${part}`));
  }
  stepper.step(1e6);
}
const outputs = new Map<string, Float64Array>();

describe.each(Object.keys(INTEGRATORS) as IntegratorName[])("%s", (name) => {
  const integrator: Integrator = INTEGRATORS[name];

  describe.each(Object.entries(CASES))("%s", (_title, problemCase) => {
    const create = (): Stepper => integrator.start(problemCase.problem, optionsOf(integrator, problemCase));
    const start = (stepper: Stepper): void => stepper.restart(0.25, Float64Array.from(problemCase.y0));

    test("continues bit-identically", () => {
      expectSameAfterRestore(create, start, free);
      expectSameAfterRestore(create, start, mixed);
      expectSameAfterRestore(create, start, mixed, 100, 5);
    });

    test("continues bit-identically after many steps", () => {
      const later = (stepper: Stepper): void => {
        start(stepper);
        for (let k = 0; k < 300; k++) stepper.step(1e6);
      };
      expectSameAfterRestore(create, later, free);
    });

    test("has its output inside the last step", () => {
      outputs.clear();
      expectSameAfterRestore(create, start, interpolating);
      expect(outputs.size).toBeGreaterThan(50);
    });
  });

  test.each(["pendulum with an integral", "stiff spring chain"])("refuses wrong data: %s", (title) => {
    const problemCase = CASES[title]!;
    const create = (): Stepper => integrator.start(problemCase.problem, optionsOf(integrator, problemCase));
    for (const steps of [1, 40]) {
      const stepper = create();
      stepper.restart(0.25, Float64Array.from(problemCase.y0));
      for (let k = 0; k < steps; k++) mixed(stepper, k);
      expectRefusal(create, stepper.save());
    }
  });

  test("refuses a time, a state or a count that is not possible", () => {
    const problemCase = CASES["top with projection"]!;
    const stepper = integrator.start(problemCase.problem, optionsOf(integrator, problemCase));
    stepper.restart(0, Float64Array.from(problemCase.y0));
    for (let k = 0; k < 3; k++) stepper.step(1e6);
    const saved = stepper.save() as { state: { t: number; y: Float64Array; counts: object }; method: unknown };
    const { state } = saved;
    for (const wrong of [
      { t: Number.NaN },
      { t: Number.POSITIVE_INFINITY },
      { previous: 2 * state.t },
      { y: state.y.map(() => Number.NaN) },
      { counts: { ...state.counts, steps: -1 } },
      { counts: { ...state.counts, evaluations: 0.5 } },
    ])
      expect(() => stepper.restore({ ...saved, state: { ...state, ...wrong } })).toThrow(FormatError);
    stepper.restore(saved);
  });

  test("a stepper restored over another run is the same", () => {
    const problemCase = CASES["stiff spring chain"]!;
    const create = (): Stepper => integrator.start(problemCase.problem, optionsOf(integrator, problemCase));
    const [a, b] = [create(), create()];
    for (const [stepper, offset] of [
      [a, 0],
      [b, 0.1],
    ] as const) {
      stepper.restart(
        offset,
        Float64Array.from(problemCase.y0, (v) => v + offset),
      );
      for (let k = 0; k < 30 + 50 * offset; k++) mixed(stepper, k);
    }
    b.restore(structuredClone(a.save()));
    for (let k = 0; k < 30; k++) {
      mixed(a, k);
      mixed(b, k);
      expect([b.t, [...b.y], b.counts]).toEqual([a.t, [...a.y], a.counts]);
    }
  });

  test("is saved only after a start, and restarts after wrong data", () => {
    const { problem, y0, ...others } = CASES["pendulum with an integral"]!;
    const stepper = integrator.start(problem, optionsOf(integrator, { problem, y0, ...others }));
    expect(() => stepper.save()).toThrow(ArgumentError);
    expect(() => stepper.restore({ state: null, method: null })).toThrow(FormatError);
    stepper.restart(0, Float64Array.from(y0));
    stepper.step(1);
    expect(stepper.t).toBeGreaterThan(0);
  });

  test("refuses data of a problem of another size", () => {
    const [small, large] = [CASES["pendulum with an integral"]!, CASES["top with projection"]!].map((problemCase) => {
      const stepper = integrator.start(problemCase.problem, optionsOf(integrator, problemCase));
      stepper.restart(0, Float64Array.from(problemCase.y0));
      return stepper;
    }) as [Stepper, Stepper];
    expect(() => large.restore(small.save())).toThrow(`${name}.state.y: must be a Float64Array of length 7, got`);
  });
});

describe("dopri5-radau5 while it switches its method", () => {
  const problemCase = CASES["brake that grips and releases"]!;
  const integrator = INTEGRATORS["dopri5-radau5"];
  const create = (): Stepper => integrator.start(problemCase.problem, optionsOf(integrator, problemCase));
  const start = (stepper: Stepper): void => stepper.restart(0, Float64Array.from(problemCase.y0));
  /** Ends at every change of the brake, and restarts there at the same state. */
  const toChange = (stepper: Stepper): void => {
    const end = 0.05 * Math.floor(20 * stepper.t + 1 + 1e-9);
    stepper.step(end);
    if (stepper.t === end) stepper.restart(end, stepper.y.slice());
  };

  test("continues bit-identically", () => {
    const stepper = create();
    start(stepper);
    const isImplicit = Array.from({ length: 150 }, () => {
      toChange(stepper);
      return (stepper.save() as { method: { memory: { isImplicit: boolean } } }).method.memory.isImplicit;
    });
    const changes = isImplicit.filter((value, i) => i > 0 && value !== isImplicit[i - 1]).length;
    expect(changes).toBeGreaterThan(1); // there and back
    expectSameAfterRestore(create, start, toChange, 150, 30);
  });
});
