/** A scenario: a model with initial state, forces, controllers, events and settings, checked and ready to run. Immutable, shared by all runs. */
import { checkMembers } from "../arguments.ts";
import type { FormulationName } from "../dynamics/formulation.ts";
import { ModelError, type Problem } from "../errors.ts";
import type { Terrain } from "../ground/terrain.ts";
import type { Channel } from "../log/log.ts";
import type { Model } from "../model/model.ts";
import type { PlannedEvent } from "../sim/events/event-plan.ts";
import type { IntegratorName } from "../sim/integrators/index.ts";
import type { IntegratorOptions } from "../sim/integrators/integrator.ts";
import type { AuditTolerances } from "../sim/record/audit.ts";
import type { Controller } from "../sim/run/controller.ts";
import type { ForceElement } from "../sim/system/force-element.ts";
import type { Coordinates } from "../sim/system/mass-centre/free-floating.ts";
import type { MassCentreState } from "../sim/system/start-state.ts";
import type { Approach } from "./read/approach.ts";
import type { Condition } from "./read/condition.ts";

export interface Scenario {
  /** Title. */
  readonly name: string;
  /** Description in one line. */
  readonly about: string;
  readonly model: Model;
  readonly coordinates: Coordinates;
  /** In mass-centre coordinates: the mass centre at the start, and whether the file gives it. */
  readonly massCentre?: MassCentreState & { readonly isGiven: boolean };
  /** Initial coordinates and speeds; relative to the mass centre in mass-centre coordinates. */
  readonly q: Float64Array;
  readonly u: Float64Array;
  /** Hinges whose coordinates must not change when loops are closed. */
  readonly hold: readonly string[];
  /** Hinges whose coordinates or speeds the file gives. They are kept if the loops can be closed by the others. */
  readonly given: { readonly q: readonly string[]; readonly u: readonly string[] };
  /** The run starts at rest, in the position near q in which the loads balance. */
  readonly rest: boolean;
  /** The approach that set the initial state, if the scenario has one. */
  readonly approach?: Approach;
  /** The ground, if the scenario has one. */
  readonly terrain?: Terrain;
  readonly forces: readonly ForceElement[];
  readonly controllers: readonly Controller[];
  /** Planned events, in the order of the file. */
  readonly events: readonly ScenarioEvent[];
  /** First mode, if the events have modes. */
  readonly mode?: string;
  readonly formulation: FormulationName;
  readonly integrator: IntegratorOptions & { readonly name: IntegratorName };
  readonly duration: number;
  /** Time between recorded samples. */
  readonly sample: number;
  /** Channels to record, in the order of the system, including those of the plots. */
  readonly channels: readonly Channel[];
  /** All channels that can be recorded, in the same order. */
  readonly available: readonly Channel[];
  readonly plots: readonly ScenarioPlot[];
  readonly limits: readonly ScenarioLimit[];
  /** Measured histories that the run is compared with. */
  readonly compare: readonly ScenarioComparison[];
  /** Unknown values that are to be found from the measured histories. */
  readonly identify?: ScenarioIdentification;
  readonly tolerances: AuditTolerances;
  /** The run ends when one of these becomes true. */
  readonly stop: readonly Condition[];
  /** Possible but unlikely values of the model, forces and controllers. */
  readonly warnings: readonly Problem[];
  /** The file as plain data that contains the model: see `describeScenario`. */
  readonly document: Readonly<Record<string, unknown>>;
}

/** A planned event (see sim/events/event-plan.ts) and its conditions, which must all be true. */
export interface ScenarioEvent extends Omit<PlannedEvent, "margin"> {
  readonly when: readonly Condition[];
}

/** Bounds of channels. The run continues if a channel exceeds them. */
export interface ScenarioLimit {
  readonly name: string;
  /** All have the same unit. */
  readonly channels: readonly Channel[];
  readonly least?: number;
  readonly most?: number;
  /** If given, the limit applies to the mean over this time, s, not to each value. */
  readonly mean?: number;
  /** Source of the limit, and the confidence in it. */
  readonly source?: string;
  readonly confidence?: "high" | "medium" | "low";
}

/** Measured histories of channels. */
export interface ScenarioComparison {
  readonly name: string;
  /** Times of the run at which was measured, s. They increase. */
  readonly times: Float64Array;
  /** Measured values in the units of the channels. */
  readonly series: readonly { readonly channel: Channel; readonly values: Float64Array }[];
}

/** A value of the scenario or its model that is to be found. */
export interface ScenarioUnknown {
  readonly name: string;
  /** Paths that get the value. */
  readonly paths: readonly string[];
  /** In SI units. */
  readonly start: number;
  readonly least?: number;
  readonly most?: number;
  readonly scale?: number;
}

/** Unknown values, and what is known about the measurement. */
export interface ScenarioIdentification {
  readonly unknowns: readonly ScenarioUnknown[];
  /** Standard deviation of the noise by channel, where it is known. */
  readonly noise: ReadonlyMap<string, number>;
  /** Channels whose sensors have an unknown constant error. */
  readonly bias: readonly string[];
  readonly starts: number;
}

export interface ScenarioPlot {
  readonly title: string;
  /** All have the same unit. */
  readonly channels: readonly Channel[];
  /** Unit of the axis, and the factor from the unit of the channels to it. */
  readonly unit: string;
  readonly times: number;
  readonly scale: "linear" | "log";
}

/** @throws ModelError if the scenario has mass-centre coordinates: then its forces need the position of the mass centre */
export function checkWorldCoordinates({ name, coordinates }: Scenario, what: string): void {
  if (coordinates === "world") return;
  const message = `${what} need coordinates of the world: a machine in mass-centre coordinates falls about the Earth`;
  throw new ModelError(name, [{ path: "coordinates", message, advice: "Use coordinates: world, and no state.massCentre" }]);
}

/** @throws ArgumentError if `scenario` is not a scenario, but e.g. its text */
export const checkScenario = (scenario: unknown): void =>
  checkMembers("scenario", scenario, ["document", "model", "duration"], "a scenario, as loadScenario returns it");
