/** Sines and cosines of C output: one call computes both of one angle, or those of two angles. */
import { eachOperand, type ProgramSchedule } from "../schedule/schedule.ts";
import type { Graph } from "../trace/graph.ts";
import type { AnglesOfStatement, TrigStatements } from "../trace/print.ts";

/** Functions of `c-sincos.ts`. */
export const SINCOS_ONE = "sine_and_cosine";
export const SINCOS_TWO = "sines_and_cosines";

export const C_TRIG: TrigStatements = { pairs, statement };

/** Neighbouring sines or cosines of which the second does not read the first: they can be computed together. */
function pairs(graph: Graph, schedule: ProgramSchedule, steps: readonly number[]): Map<number, number> {
  const isTrig = (id: number | undefined): id is number =>
    id !== undefined && (graph.opOf(id) === "sin" || graph.opOf(id) === "cos");
  const found = new Map<number, number>();
  for (let i = 0; i + 1 < steps.length; i++) {
    const [a, b] = [steps[i], steps[i + 1]];
    if (!isTrig(a) || !isTrig(b)) continue;
    let isIndependent = true;
    eachOperand(graph, schedule.isInlined, b, (operand) => {
      if (operand === a || operand === schedule.sincosPartner[a]) isIndependent = false;
    });
    if (!isIndependent) continue;
    found.set(a, b);
    i++;
  }
  return found;
}

function statement({ graph, schedule, step: id, other, angle }: AnglesOfStatement, members: Map<number, string>): string {
  const addMembers = (step: number, sine: string, cosine: string): void => {
    const isSine = graph.opOf(step) === "sin";
    members.set(step, isSine ? sine : cosine);
    if (isSine && schedule.sincosPartner[step]! >= 0) members.set(schedule.sincosPartner[step]!, cosine);
  };
  if (other === undefined) {
    addMembers(id, `t${id}.s`, `t${id}.c`);
    return `  const sincos_values t${id} = ${SINCOS_ONE}(${angle(id)});`;
  }
  addMembers(id, `t${id}[0]`, `t${id}[2]`);
  addMembers(other, `t${id}[1]`, `t${id}[3]`);
  return `  double t${id}[4];\n  ${SINCOS_TWO}(${angle(id)}, ${angle(other)}, t${id});`;
}
