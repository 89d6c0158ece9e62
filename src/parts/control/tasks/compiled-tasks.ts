/** The rows and poses of tasks as one compiled kernel of the robot. */
import type { Robot } from "../../../dynamics/free-flying/robot.ts";
import { compile, type Kernel } from "../../../kernel/run/kernel.ts";
import { offsetsOf } from "../../../kernel/trace/program.ts";
import type { Model } from "../../../model/model.ts";
import { type FrameRows, type RobotQuantity, type TaskRowsShape, taskProgram, taskProgramOverSpeeds } from "./task-rows.ts";

/** Views of the kernel's outputs. */
export type CompiledTasks = { readonly [K in keyof TaskRowsShape]: Float64Array } & {
  /** Entry j of the speeds of the columns of J at the last evaluation. */
  rate(j: number): number;
  evaluate(q: Float64Array, u: Float64Array): void;
};

export function compileTasks(
  model: Model,
  robot: Robot<number>,
  tasks: readonly FrameRows[],
  columns: "hinges" | "speeds",
  outputs: readonly RobotQuantity[],
): CompiledTasks {
  const frameRows = tasks.map(({ frame, relativeTo, rows }) => ({ frame, relativeTo, rows }));
  const isOverSpeeds = columns === "speeds";
  const {
    program,
    q: qIndices,
    u: uIndices,
  } = isOverSpeeds ? taskProgramOverSpeeds(model, frameRows) : taskProgram(model, robot.base.name, frameRows, outputs);
  const kernel: Kernel<{ readonly q: number; readonly u: number }, TaskRowsShape> = compile(program);
  const { x, y } = kernel; // the memory belongs to this kernel and never grows, so views stay valid
  const offsets = offsetsOf(kernel.outputs);
  const views = Object.entries(kernel.outputs).map(([key, size]) => {
    const first = offsets[key as keyof TaskRowsShape];
    return [key, y.subarray(first, first + size)];
  });
  const rateInputs = (isOverSpeeds ? uIndices : robot.speeds).map((u) => qIndices.length + uIndices.indexOf(u));
  return {
    ...(Object.fromEntries(views) as { readonly [K in keyof TaskRowsShape]: Float64Array }),
    rate: (j) => x[rateInputs[j]!]!,
    evaluate(q, u) {
      for (let i = 0; i < qIndices.length; i++) x[i] = q[qIndices[i]!]!;
      for (let i = 0; i < uIndices.length; i++) x[qIndices.length + i] = u[uIndices[i]!]!;
      kernel.evaluate();
    },
  };
}
