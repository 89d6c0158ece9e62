/**
 * A kind of thing to draw: one file in layers/ and one line in layers/index.ts. A layer is made anew for each scenario and theme, and
 * told of every frame; it reads the motion and the log, and decides itself what it needs of them.
 */
import type { BodyShape, Scenario } from "castor";
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
  /** What each body looks like. */
  readonly shapes: readonly (readonly BodyShape[])[];
  /** How large the machine is, and where it is at the start. */
  readonly extent: MachineExtent;
  readonly palette: ScenePalette;
  /** Asks for another frame, e.g. when a file has come. */
  redraw(): void;
  /** Says what could not be drawn. */
  remark(text: string): void;
}

export interface SceneFrame {
  readonly t: number;
  /** Coordinates, and for each body R by rows and p, in the world. */
  readonly q: Float64Array;
  readonly poses: Float64Array;
  /** What is the origin of the scene: far from the world's, numbers of the graphics card are too short. */
  readonly origin: Float64Array;
  readonly log: RunLog | undefined;
  /** Where the bodies are at rest, and what to say of it, while a mode is shown. */
  readonly mode?: { readonly rest: Float64Array; readonly words: string };
  /** The log has more samples, or another one is shown, than at the frame before. */
  readonly logChanged: boolean;
}

export interface LayerInstance {
  readonly object: Object3D;
  update(frame: SceneFrame): void;
  /** One line for the corner of the scene, e.g. how long an arrow of 1 N is. */
  legend?(): string;
}

export interface Layer {
  readonly id: string;
  readonly title: string;
  readonly shownByDefault: boolean;
  /** Drawn only while the scene shows a run, or a mode. */
  readonly onlyWith?: "run" | "mode";
  /** Nothing if the scenario has nothing of the kind. */
  create(context: LayerContext): LayerInstance | undefined;
}
