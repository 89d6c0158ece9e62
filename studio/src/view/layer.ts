/**
 * A layer draws one kind of thing. A new layer is one file in layers/ and one line in layers/index.ts. An instance is created for each scenario
 * and theme, and updated for every frame. It reads the motion and the log itself.
 */
import type { BodyShape } from "castor/model";
import type { Scenario } from "castor/scenario";
import type { Object3D } from "three";
import type { ScenarioSource } from "../files/scenario-sources.ts";
import type { RunLog } from "../run/run-log.ts";
import type { MachineExtent } from "./geometry/machine-extent.ts";
import type { RunMotion } from "./motion/run-motion.ts";
import type { ScenePalette } from "./palette.ts";

export interface LayerContext {
  readonly scenario: Scenario;
  readonly source: ScenarioSource | undefined;
  readonly motion: RunMotion;
  /** The shapes to draw, for each body. */
  readonly shapes: readonly (readonly BodyShape[])[];
  /** Size and position of the machine at the start. */
  readonly extent: MachineExtent;
  readonly palette: ScenePalette;
  /** Requests another frame, e.g. when a mesh file has been loaded. */
  redraw(): void;
  /** Shows a message about something that could not be drawn. */
  remark(text: string): void;
}

export interface SceneFrame {
  readonly t: number;
  /** Coordinates; and for each body the rotation matrix by rows and the position, in the world. */
  readonly q: Float64Array;
  readonly poses: Float64Array;
  /** World position of the scene's origin. Far from the world's origin, the single precision of graphics cards is too coarse. */
  readonly origin: Float64Array;
  readonly log: RunLog | undefined;
  /** While a mode is shown: the poses at rest, and a text for the legend. */
  readonly mode?: { readonly rest: Float64Array; readonly caption: string };
  /** The log has more samples than in the frame before, or it is another log. */
  readonly logChanged: boolean;
}

/** A text at a point of the scene. */
export interface SceneLabel {
  readonly text: string;
  readonly at: readonly [number, number, number];
  readonly kind?: "value";
}

/** A direction that is shown beside the axes of the world. */
export interface SkyDirection {
  readonly name: "Sun" | "Earth";
  /** Of any length, in world axes. */
  readonly to: readonly [number, number, number];
}

export interface LayerInstance {
  readonly object: Object3D;
  update(frame: SceneFrame): void;
  /** One line for the legend, e.g. the force of the longest arrow. */
  legend?(): string;
  /** Texts in the scene, e.g. the values of arrows. */
  labels?(): readonly SceneLabel[];
  directions?(): readonly SkyDirection[];
}

export interface Layer {
  readonly id: string;
  readonly title: string;
  readonly shownByDefault: boolean;
  /** Drawn only while the scene shows a run, or only while it shows a mode. */
  readonly onlyWith?: "run" | "mode";
  /** Undefined if the scenario contains nothing to draw. */
  create(context: LayerContext): LayerInstance | undefined;
}
