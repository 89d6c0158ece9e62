/** The camera of the scene. It fits the machine by itself until the user orbits, zooms, or follows a body. */
import type { NumericVec3 } from "castor/model";
import { PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { CameraView } from "../state/state.ts";
import { type CameraSubject, FIELD_OF_VIEW, type FillLimits, fitCamera, subjectNow, subjectOfRun } from "./camera.ts";
import { bodyPointToWorld } from "./geometry/body-points.ts";
import type { SceneFrame } from "./layer.ts";
import type { SceneModel } from "./scene-model.ts";

/** Heights of the buttons above the machine and of the legend below it, px. */
const [BUTTONS_HEIGHT, LEGEND_HEIGHT] = [46, 30];

/** Rotation per key press, rad. */
const KEY_ANGLE = 0.12;
/** Change of the distance per key press. */
const KEY_ZOOM = 0.88;
/** Least angle between the direction of view and the vertical, rad. */
const POLE_MARGIN = 0.05;

export class CameraControl {
  readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 1000);
  #height = 1;
  readonly #controls: OrbitControls;
  readonly #redraw: () => void;
  /** The user has chosen the view, so the camera no longer fits the machine by itself. */
  #isUserView = false;
  /** The machine moves so far that the camera moves with it. */
  #travels = false;
  /** A view to show with the next frame. */
  #pendingView: CameraView | undefined;

  /**
   * @param fit fits the machine into the view; for the key F
   * @param chosen called when the user has chosen a view; undefined: the camera chooses it again
   */
  constructor(
    canvas: HTMLCanvasElement,
    redraw: () => void,
    fit: () => void,
    readonly chosen: (view: CameraView | undefined) => void,
  ) {
    this.#redraw = redraw;
    this.#controls = new OrbitControls(this.camera, canvas);
    this.#controls.enableDamping = false;
    this.#controls.addEventListener("start", () => {
      this.#isUserView = true;
    });
    this.#controls.addEventListener("change", redraw);
    this.#controls.addEventListener("end", () => this.#tell());
    canvas.addEventListener("wheel", () => this.#tell());
    canvas.addEventListener("keydown", (event) => this.#keyPressed(event, fit));
  }

  get isUserView(): boolean {
    return this.#isUserView;
  }

  /** Takes the size of the scene, px. */
  resize(width: number, height: number): void {
    this.#height = height;
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  /** Returns to the automatic view, for another scenario. */
  reset(): void {
    this.#isUserView = false;
    this.#pendingView = undefined;
  }

  /** Shows a view, e.g. that of a link, with the next frame. */
  show(view: CameraView): void {
    this.#pendingView = view;
    this.#redraw();
  }

  #tell(): void {
    const digits = (x: number): number => Number(x.toPrecision(7)); // as in addresses
    const round = (v: Vector3): [number, number, number] => [digits(v.x), digits(v.y), digits(v.z)];
    this.chosen({ position: round(this.camera.position), target: round(this.#controls.target) });
  }

  /** Shows all places of the machine in the run, or the mode. */
  fit(model: SceneModel, frame: SceneFrame): void {
    this.#lookAt(model, subjectOfRun(model, frame));
  }

  /**
   * Moves the camera for a frame.
   * @param displayChanged the scene changed between run and mode
   * @param followed name of the body to follow
   */
  update(model: SceneModel, frame: SceneFrame, displayChanged: boolean, followed: string | undefined): void {
    if (!this.#isUserView && (frame.logChanged || displayChanged)) this.fit(model, frame);
    else if (!this.#isUserView && this.#travels) this.#lookAt(model, subjectNow(model, frame));
    if (this.#pendingView) this.#showPending(this.#pendingView);
    this.#follow(model, frame, followed);
  }

  #showPending({ position, target }: CameraView): void {
    this.#pendingView = undefined;
    this.#isUserView = true;
    this.camera.position.set(...position);
    this.#controls.target.set(...target);
    this.#controls.update();
  }

  /** Looks from a direction at the point that the camera looks at now, from the same distance. */
  lookFrom(direction: NumericVec3, up: NumericVec3): void {
    const { target } = this.#controls;
    const distance = this.camera.position.distanceTo(target);
    this.#isUserView = true;
    const back = new Vector3(...direction).normalize();
    // From above or below, the controls need a small angle to the vertical.
    if (Math.abs(back.dot(new Vector3(...up))) > 0.999)
      back.add(new Vector3(-up[1] - up[2], up[0], -up[0] + up[1]).multiplyScalar(0.002)).normalize();
    this.camera.position.copy(target).addScaledVector(back, distance);
    this.#controls.update();
    this.#tell();
    this.#redraw();
  }

  /** Looks at a point from the present direction, from `distance`. */
  focus([x, y, z]: NumericVec3, distance: number): void {
    const { target } = this.#controls;
    const back = this.camera.position.clone().sub(target).normalize();
    this.#isUserView = true;
    target.set(x, y, z);
    this.camera.position.copy(target).addScaledVector(back, distance);
    this.#controls.update();
    this.#tell();
    this.#redraw();
  }

  get target(): Vector3 {
    return this.#controls.target;
  }

  #lookAt({ extent }: SceneModel, subject: CameraSubject): void {
    this.#travels = subject.travels;
    this.#controls.target.copy(fitCamera(this.camera, extent, subject, fillLimits(this.#height)));
    this.#controls.minDistance = 0.05 * extent.radius;
    this.#controls.maxDistance = 100 * extent.radius;
    this.#controls.update();
  }

  #follow(model: SceneModel, { poses, origin }: SceneFrame, followed: string | undefined): void {
    const body = model.motion.model.bodies.find(({ name }) => name === followed);
    if (!body) return;
    const p = bodyPointToWorld(poses, body.index, body.com);
    const position = new Vector3(p[0] - origin[0]!, p[1] - origin[1]!, p[2] - origin[2]!);
    // The target stays at the body, so that orbiting and zooming keep the body in the middle.
    const step = position.clone().sub(this.#controls.target);
    this.#isUserView = true;
    if (step.lengthSq() === 0) return;
    this.camera.position.add(step);
    this.#controls.target.add(step);
    this.camera.lookAt(this.#controls.target);
  }

  #keyPressed(event: KeyboardEvent, fit: () => void): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const actions: Readonly<Record<string, () => void>> = {
      a: () => this.#orbit(KEY_ANGLE, 0),
      d: () => this.#orbit(-KEY_ANGLE, 0),
      w: () => this.#orbit(0, -KEY_ANGLE),
      s: () => this.#orbit(0, KEY_ANGLE),
      "+": () => this.#zoom(KEY_ZOOM),
      "=": () => this.#zoom(KEY_ZOOM),
      "-": () => this.#zoom(1 / KEY_ZOOM),
      f: fit,
    };
    const action = actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    this.#isUserView = true;
    action();
    if (action !== fit) this.#tell();
  }

  /** Rotates the camera about the target: by `azimuth` about the vertical, and by `polar` away from it, rad. */
  #orbit(azimuth: number, polar: number): void {
    const { target } = this.#controls;
    const arm = this.camera.position.clone().sub(target);
    const up = this.camera.up.clone().normalize();
    arm.applyAxisAngle(up, azimuth);
    const angle = arm.angleTo(up) + polar;
    if (angle > POLE_MARGIN && angle < Math.PI - POLE_MARGIN) arm.applyAxisAngle(up.clone().cross(arm).normalize(), polar);
    this.camera.position.copy(target).add(arm);
    this.#controls.update();
    this.#redraw();
  }

  #zoom(factor: number): void {
    const { target } = this.#controls;
    this.camera.position.sub(target).multiplyScalar(factor).add(target);
    this.#controls.update();
    this.#redraw();
  }
}

/** The machine leaves room for the buttons and the legend, except in a very low picture. */
const fillLimits = (height: number): FillLimits => ({
  sides: 0.94,
  top: Math.max(0.6, 1 - (2 * BUTTONS_HEIGHT) / height),
  bottom: Math.max(0.6, 1 - (2 * LEGEND_HEIGHT) / height),
});
