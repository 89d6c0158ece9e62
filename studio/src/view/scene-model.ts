/** A scenario as a three.js scene. Its layers are created when they are first shown, and updated for every frame. */

import type { NumericVec3 } from "castor/model";
import type { Scenario } from "castor/scenario";
import { type DirectionalLight, type Mesh, type Object3D, Scene, type ShaderMaterial, Texture } from "three";
import type { ScenarioSource } from "../files/scenario-sources.ts";
import type { RunLog } from "../run/run-log.ts";
import { bodyPointToWorld } from "./geometry/body-points.ts";
import { BoundingBox } from "./geometry/bounding-box.ts";
import { disposeObject } from "./geometry/drawing.ts";
import { type MachineExtent, machineExtent } from "./geometry/machine-extent.ts";
import { massCentre } from "./geometry/mass-centre.ts";
import type { ShapeSphere } from "./geometry/shape-extent.ts";
import { displayShapes } from "./geometry/shapes.ts";
import type { Layer, LayerContext, LayerInstance, SceneFrame, SceneLabel, SkyDirection } from "./layer.ts";
import { skyOf } from "./layers/background/sky.ts";
import { Lighting } from "./lighting.ts";
import { ModeMotion, type ShownMode } from "./motion/mode-motion.ts";
import { RunMotion } from "./motion/run-motion.ts";
import type { ScenePalette } from "./palette.ts";

/** Size of the region with shadows, in radii of the machine. */
const SHADOW_MARGIN = 1.25;

/** True for a scenario without gravity and ground. */
export const isInSpace = ({ model, terrain }: Scenario): boolean => terrain === undefined && model.gravity.every((g) => g === 0);

export interface SceneOptions {
  readonly scenario: Scenario;
  readonly source: ScenarioSource | undefined;
  readonly palette: ScenePalette;
  readonly layers: readonly Layer[];
  /** Coordinates of the machine without a run. Default: those of the scenario. */
  readonly start?: Float64Array;
  redraw(): void;
  remark(text: string): void;
}

export class SceneModel {
  readonly scene = new Scene();
  readonly extent: MachineExtent;
  readonly motion: RunMotion;
  readonly context: LayerContext;
  readonly #layers: readonly Layer[];
  /** Instances of layers; undefined for a layer that has nothing to draw. */
  readonly #instances = new Map<string, LayerInstance | undefined>();
  /** True if layers that are not shown have anything to draw. */
  readonly #hasContent = new Map<string, boolean>();
  #switched: Readonly<Record<string, boolean>> = {};
  #lastLog: { readonly log: RunLog | undefined; readonly version: number } | undefined;
  #frame: SceneFrame | undefined;
  #mode: ModeMotion | undefined;
  readonly lighting: Lighting;
  /** A sphere around each body, in its axes. */
  readonly #bodySpheres: readonly ShapeSphere[];

  private constructor(options: SceneOptions, motion: RunMotion) {
    const { scenario } = options;
    this.motion = motion;
    const shapes = displayShapes(scenario.model);
    this.extent = machineExtent(scenario.model, motion.at(0).poses, shapes);
    this.context = { ...options, motion, shapes, extent: this.extent };
    this.#layers = options.layers;
    const setting = isInSpace(scenario) ? "space" : options.palette.dark ? "dusk" : "day";
    this.lighting = new Lighting(this.scene, this.extent, setting, skyOf(scenario).sun);
    this.#bodySpheres = this.extent.bodySpheres.map(sphereAround);
  }

  static async create(options: SceneOptions): Promise<SceneModel> {
    return new SceneModel(options, await RunMotion.create(options.scenario.model, options.start ?? options.scenario.q));
  }

  /** Sets the layers that the user has switched on or off. */
  show(chosen: Readonly<Record<string, boolean>>): void {
    this.#switched = chosen;
    this.#showLayers();
  }

  #showLayers(): void {
    for (const layer of this.#layers) {
      const isShown = this.isShown(layer);
      if (isShown && !this.#instances.has(layer.id)) this.#create(layer);
      const instance = this.#instances.get(layer.id);
      if (instance) instance.object.visible = isShown;
    }
  }

  isShown = (layer: Layer): boolean => (this.#switched[layer.id] ?? layer.shownByDefault) && this.#fitsDisplay(layer);

  #fitsDisplay = ({ onlyWith }: Layer): boolean => onlyWith === undefined || onlyWith === (this.#mode ? "mode" : "run");

  /** True if the layer has anything to draw in the present run or mode, switched on or not. */
  has(layer: Layer): boolean {
    if (!this.#fitsDisplay(layer)) return false;
    const hasContent = this.#instances.has(layer.id)
      ? this.#instances.get(layer.id) !== undefined
      : this.#hasContent.get(layer.id);
    if (hasContent !== undefined) return hasContent;
    const instance = layer.create({ ...this.context, redraw: () => {}, remark: () => {} });
    if (instance) disposeObject(instance.object);
    this.#hasContent.set(layer.id, instance !== undefined);
    return instance !== undefined;
  }

  #create(layer: Layer): void {
    const instance = layer.create(this.context);
    this.#instances.set(layer.id, instance);
    if (!instance) return;
    this.scene.add(instance.object);
    if (this.#frame) instance.update({ ...this.#frame, logChanged: true });
  }

  /** Updates all layers for a time of the log, or for a mode. */
  update(t: number, log: RunLog | undefined, mode?: ShownMode): SceneFrame {
    const version = log?.version ?? 0;
    const logChanged = this.#lastLog?.log !== log || this.#lastLog?.version !== version;
    this.#lastLog = { log, version };
    this.motion.setLog(log);
    const previous = this.#mode;
    this.#mode = mode && (previous?.isOf(mode) ? previous : new ModeMotion(this.motion, this.extent, mode));
    if ((previous === undefined) !== (this.#mode === undefined)) this.#showLayers();
    const moment = mode && this.#mode ? this.motion.posesFor(this.#mode.at(mode)) : this.motion.at(t);
    const [q, poses] = [Float64Array.from(moment.q), Float64Array.from(moment.poses)]; // copies: layers may compute poses at other times
    const origin = this.#originFor(this.#mode?.rest ?? poses);
    const frame: SceneFrame = { t, q, poses, origin, log, logChanged, ...(this.#mode && { mode: this.#mode }) };
    this.#frame = frame;
    this.#moveShadows(frame);
    for (const layer of this.#layers) {
      const instance = this.#instances.get(layer.id);
      // A hidden layer would miss that the log has changed, so it is dropped and created again when needed.
      if (instance && this.isShown(layer)) instance.update(frame);
      else if (instance && logChanged) this.#remove(layer.id, instance);
    }
    return frame;
  }

  /** Shadows cover a sphere around the machine. */
  #moveShadows({ poses, origin }: SceneFrame): void {
    const bounds = new BoundingBox();
    for (const [body, { p, r }] of this.#bodySpheres.entries()) if (r > 0) bounds.add(bodyPointToWorld(poses, body, p), r);
    for (const { p, r } of this.extent.worldSpheres) bounds.add(p, r);
    if (!Number.isFinite(bounds.radius)) return;
    const centre = bounds.middle.map((x, k) => x - origin[k]!) as unknown as NumericVec3;
    this.lighting.follow(centre, SHADOW_MARGIN * Math.max(bounds.radius, 1e-3 * this.extent.radius));
  }

  /** Poses of all bodies at a time of the run, and the place of the scene's origin in the world. */
  posesAt(t: number): { readonly poses: Float64Array; readonly origin: Float64Array } {
    const poses = Float64Array.from(this.motion.at(t).poses);
    return { poses, origin: this.#originFor(poses) };
  }

  #originFor(poses: Float64Array): Float64Array {
    return this.extent.comoving ? massCentre(this.context.scenario.model, poses) : Float64Array.from(this.extent.middle);
  }

  /** The drawn object of a layer, if the layer is shown. */
  staticObject(id: string): Object3D | undefined {
    const instance = this.#instances.get(id);
    return instance?.object.visible ? instance.object : undefined;
  }

  #remove(id: string, instance: LayerInstance): void {
    this.scene.remove(instance.object);
    disposeObject(instance.object);
    this.#instances.delete(id);
  }

  /** Legends of the shown layers. */
  legends(): string[] {
    return this.#layers
      .flatMap((layer) => (this.isShown(layer) ? [this.#instances.get(layer.id)?.legend?.() ?? ""] : []))
      .filter(Boolean);
  }

  /** Texts of the shown layers at points of the scene. */
  labels(): readonly SceneLabel[] {
    return this.#shownInstances().flatMap((instance) => instance.labels?.() ?? []);
  }

  /** Directions to the Sun and the Earth, if the shown layers know them. */
  directions(): readonly SkyDirection[] {
    return this.#shownInstances().flatMap((instance) => instance.directions?.() ?? []);
  }

  #shownInstances(): readonly LayerInstance[] {
    return this.#layers.flatMap((layer) => (this.isShown(layer) ? (this.#instances.get(layer.id) ?? []) : []));
  }

  dispose(): void {
    disposeObject(this.scene);
  }

  /** Frees everything that the graphics card holds for the scene, also textures and lights, which other scenes may share. */
  release(): void {
    this.dispose();
    this.scene.environment?.dispose();
    this.scene.traverse((object) => {
      const { material, dispose } = object as Partial<Mesh & DirectionalLight>;
      dispose?.call(object);
      for (const m of [material ?? []].flat())
        for (const value of [
          ...Object.values(m),
          ...Object.values((m as Partial<ShaderMaterial>).uniforms ?? {}).map((u) => u.value),
        ])
          if (value instanceof Texture) value.dispose();
    });
  }
}

/** A sphere around spheres. */
function sphereAround(spheres: readonly ShapeSphere[]): ShapeSphere {
  const bounds = new BoundingBox();
  for (const { p, r } of spheres) bounds.add(p, r);
  return spheres.length > 0 ? { p: bounds.middle, r: bounds.radius } : { p: [0, 0, 0], r: 0 };
}
