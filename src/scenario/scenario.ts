/** A scenario: a model with everything that is chosen about its motion, checked, ready to run. Immutable and shared by all its runs. */
import type { FormulationName } from "../dynamics/formulation.ts";
import type { Problem } from "../errors.ts";
import type { Terrain } from "../ground/terrain.ts";
import type { Channel } from "../log/log.ts";
import type { Model } from "../model/model.ts";
import type { PlannedEvent } from "../sim/events/event-plan.ts";
import type { IntegratorName } from "../sim/integrators/index.ts";
import type { IntegratorOptions } from "../sim/integrators/integrator.ts";
import type { AuditTolerances } from "../sim/record/audit.ts";
import type { Controller } from "../sim/run/controller.ts";
import type { ForceElement } from "../sim/system/force-element.ts";
import type { Approach } from "./read/approach.ts";
import type { Condition } from "./read/condition.ts";

export interface Scenario {
  /** Title, for people. */
  readonly name: string;
  /** One line: what there is to see. */
  readonly about: string;
  readonly model: Model;
  /** Coordinates and speeds at the start. */
  readonly q: Float64Array;
  readonly u: Float64Array;
  /** How one vehicle comes to another, where the state begins so. */
  readonly approach?: Approach;
  /** The ground, where there is any. */
  readonly terrain?: Terrain;
  readonly forces: readonly ForceElement[];
  readonly controllers: readonly Controller[];
  /** What is planned to happen, in the order of the file. */
  readonly events: readonly ScenarioEvent[];
  /** The mode that they begin in, where they have modes. */
  readonly mode?: string;
  readonly formulation: FormulationName;
  readonly integrator: IntegratorOptions & { readonly name: IntegratorName };
  readonly duration: number;
  /** Time between recorded samples. */
  readonly sample: number;
  /** The channels to record, in the order of the system; those of the plots are among them. */
  readonly channels: readonly Channel[];
  /** All channels that could be recorded, in that order. */
  readonly available: readonly Channel[];
  readonly plots: readonly ScenarioPlot[];
  readonly limits: readonly ScenarioLimit[];
  readonly tolerances: AuditTolerances;
  /** The run ends when one of these comes true. */
  readonly stop: readonly Condition[];
  /** What is possible but unlikely, of the model and of what acts on it. */
  readonly warnings: readonly Problem[];
  /** What was written, as plain data, with the model in it: see `describeScenario`. */
  readonly document: Readonly<Record<string, unknown>>;
}

/** An event as planned (see sim/events/event-plan.ts), with the conditions that must all be true. */
export interface ScenarioEvent extends Omit<PlannedEvent, "margin"> {
  readonly when: readonly Condition[];
}

/** What channels should stay within; the run goes on where they do not. */
export interface ScenarioLimit {
  readonly name: string;
  /** All of one unit. */
  readonly channels: readonly Channel[];
  readonly least?: number;
  readonly most?: number;
  /** Of the mean over so many seconds, not of each sample. */
  readonly mean?: number;
  /** Where the limit comes from, and how sure it is. */
  readonly source?: string;
  readonly confidence?: "high" | "medium" | "low";
}

export interface ScenarioPlot {
  readonly title: string;
  /** All of one unit. */
  readonly channels: readonly Channel[];
  /** The unit of the axis, and by what to multiply the channels to have them in it. */
  readonly unit: string;
  readonly times: number;
  readonly scale: "linear" | "log";
}
