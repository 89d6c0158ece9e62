/** Inputs and outputs of kernels by name: typed, and valid after growth of a shared memory. */
import { buildModel, compile, programs, trace } from "castor";
import { KernelMemory, scalar } from "castor/kernel";
import { describe, expect, it } from "vitest";

const program = trace("sum and product", { a: 2, b: 1 }, ({ a, b }) => ({
  sum: [scalar.add(a[0]!, b[0]!), scalar.add(a[1]!, b[0]!)],
  product: [scalar.mul(a[0]!, b[0]!)],
}));

const arm = buildModel("arm")
  .body({ name: "upper", mass: 2, inertia: [0.1, 0.2, 0.2], com: [0.5, 0, 0], hinge: { kind: "revolute", axis: "y" } })
  .body({ name: "lower", parent: "upper", mass: 1, inertia: [0.1, 0.1, 0.1], hinge: { kind: "revolute", axis: "y" } })
  .build();

describe("named views of a kernel", () => {
  it.each(["wasm", "js", "interpret"] as const)("are parts of x and y (%s)", (target) => {
    const kernel = compile(program, { target });
    kernel.in.a.set([2, 3]);
    kernel.in.b[0] = 10;
    kernel.evaluate();
    expect([...kernel.out.sum]).toEqual([12, 13]);
    expect([...kernel.out.product]).toEqual([20]);
    expect([...kernel.x]).toEqual([2, 3, 10]);
    expect(Object.keys(kernel.in)).toEqual(["a", "b"]);
  });

  it("hold the numbers of two states one after the other", () => {
    const kernel = compile(program, { lanes: 2 });
    kernel.in.a.set([1, 2, 3, 4]);
    kernel.in.b.set([10, 20]);
    kernel.evaluate();
    expect([...kernel.out.sum]).toEqual([11, 22, 13, 24]);
  });

  it("follow a shared memory that grows", () => {
    const memory = new KernelMemory();
    const kernel = compile(program, { memory });
    kernel.in.a.set([2, 3]);
    memory.allocate(1 << 20);
    kernel.in.b[0] = 5;
    kernel.evaluate();
    expect([...kernel.out.sum]).toEqual([7, 8]);
  });

  it("are typed by the program: a wrong name is an error of the compiler", () => {
    const kernel = compile(programs.massMatrix(arm));
    kernel.in.q.set([0, 0.5]);
    kernel.evaluate();
    expect(kernel.out.mass.length).toBe(4);
    // @ts-expect-error the mass matrix does not depend on speeds
    expect(kernel.in.u).toBeUndefined();
    // @ts-expect-error the output is called mass
    expect(kernel.out.matrix).toBeUndefined();
    const dynamics = compile(programs.forwardDynamics(arm, { wrenches: ["lower"] }));
    expect(dynamics.in.w.length).toBe(6);
    // @ts-expect-error wrenches are inputs only if they are requested
    expect(compile(programs.forwardDynamics(arm)).in.w).toBeUndefined();
    // @ts-expect-error the option is called wrenches
    expect(() => programs.forwardDynamics(arm, { wrench: ["lower"] })).toThrow("options.wrench: there is no such option");
  });

  it("evaluateAt checks names and lengths, and returns copies", () => {
    const kernel = compile(program);
    const first = kernel.evaluateAt({ a: [1, 2], b: [3] });
    const second = kernel.evaluateAt({ a: [5, 6], b: Float64Array.of(7) });
    expect([...first.sum, ...second.sum]).toEqual([4, 5, 12, 13]);
    expect(() => kernel.evaluateAt({ a: [1], b: [3] })).toThrow("inputs.a: must have 2 numbers, got 1");
    // @ts-expect-error b is missing
    expect(() => kernel.evaluateAt({ a: [1, 2] })).toThrow("inputs.b: must be a list of 1 numbers, got undefined");
    // @ts-expect-error there is no input c
    expect(() => kernel.evaluateAt({ a: [1, 2], b: [3], c: [4] })).toThrow("inputs.c: there is no such option");
  });
});
