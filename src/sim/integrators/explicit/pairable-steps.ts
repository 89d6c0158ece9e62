/** The part of an embedded stepper whose steps can be computed together with those of another run: see paired-steps.ts. */
import { StepError } from "../../../errors.ts";
import type { InitialValueProblem } from "../integrator.ts";
import type { StepControl } from "../stepping/step-control.ts";
import type { CompiledSteps, CompiledStepsSetup } from "./compiled-steps.ts";
import type { StepArithmetic } from "./plain-steps.ts";
import type { PairedResult, PlannedStep } from "./planned-step.ts";

export interface PairableSetup extends Omit<CompiledStepsSetup, "plain"> {
  readonly compiled: CompiledSteps;
  readonly control: StepControl;
  readonly project: InitialValueProblem["project"];
  /** Derivative at the present state; undefined if it is not known. */
  readonly rate: () => Float64Array | undefined;
  /** True if the state inside of the last step was read. */
  readonly isRead: () => boolean;
}

export function pairableSteps({ compiled, control, method, tolerances, norm, now, K, project, rate, isRead }: PairableSetup) {
  const { counts } = now;
  /** The next step, computed together with another one; the last one, if its output was prepared there. */
  let offered: PairedResult | undefined;
  let taken: PairedResult | undefined;
  return {
    /** The next step toward `end`. Changes nothing. */
    planned(end: number): PlannedStep | undefined {
      const known = rate();
      const code = known && compiled.ready() ? compiled.derivative : undefined;
      if (code === undefined) return undefined;
      try {
        control.plan(now.t, end);
      } catch (error) {
        if (error instanceof StepError) return undefined; // the step itself reports it
        throw error;
      }
      return {
        ...{ method, tolerances, norm, project, code, rate: known!, isRead: isRead(), y: now.y },
        ...{ start: now.t, end: control.next, size: control.size },
        take(result) {
          offered = result;
        },
      };
    },
    /** Error of this step if it was computed together with another one; undefined if not. Then the state at its end is known, too. */
    together(t1: number, h: number): number | undefined {
      const result = offered;
      offered = taken = undefined;
      if (result?.start !== now.t || result.end !== t1 || result.size !== h) return undefined;
      counts.evaluations += method.stages.length;
      result.readState(now.other);
      if (!result.isFinite) return Number.NaN;
      counts.evaluations++;
      result.readStages(K);
      compiled.derivative!.markAccepted();
      if (result.hasOutput) taken = result;
      return result.error;
    },
    /** Prepares the output of the last step, if the pair has done so. */
    prepareOutput(steps: StepArithmetic): boolean {
      const result = taken;
      if (result === undefined || steps !== compiled) return false;
      compiled.adoptOutput((F) => result.readOutput(K, F));
      counts.evaluations += method.outputStages.length;
      return true;
    },
  };
}
