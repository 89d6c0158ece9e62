/** The camera of the scene. It fits the machine by itself until the user orbits, zooms, or follows a body. */
import { PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
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
  readonly #canvas: HTMLCanvasElement;
  readonly #controls: OrbitControls;
  readonly #redraw: () => void;
  /** The user has chosen the view, so the camera no longer fits the machine by itself. */
  #isUserView = false;
  /** The machine moves so far that the camera moves with it. */
  #travels = false;
  /** Position in the scene of the followed body at the last frame. */
  #followedAt: Vector3 | undefined;

  /** @param fit fits the machine into the view; for the key F */
  constructor(canvas: HTMLCanvasElement, redraw: () => void, fit: () => void) {
    this.#canvas = canvas;
    this.#redraw = redraw;
    this.#controls = new OrbitControls(this.camera, canvas);
    this.#controls.enableDamping = false;
    this.#controls.addEventListener("start", () => {
      this.#isUserView = true;
    });
    this.#controls.addEventListener("change", redraw);
    canvas.addEventListener("keydown", (event) => this.#keyPressed(event, fit));
  }

  get isUserView(): boolean {
    return this.#isUserView;
  }

  setAspect(aspect: number): void {
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
  }

  /** Returns to the automatic view, for another scenario. */
  reset(): void {
    this.#isUserView = false;
  }

  /** Another body is followed, or the scene is another one: the next frame starts at the camera's target. */
  restartFollowing(): void {
    this.#followedAt = undefined;
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
    this.#follow(model, frame, followed);
  }

  #lookAt({ extent }: SceneModel, subject: CameraSubject): void {
    this.#travels = subject.travels;
    this.#controls.target.copy(fitCamera(this.camera, extent, subject, fillLimits(this.#canvas.clientHeight)));
    this.#controls.minDistance = 0.05 * extent.radius;
    this.#controls.maxDistance = 100 * extent.radius;
    this.#controls.update();
  }

  #follow(model: SceneModel, { poses, origin }: SceneFrame, followed: string | undefined): void {
    const body = model.motion.model.bodies.find(({ name }) => name === followed);
    if (!body) return;
    const p = bodyPointToWorld(poses, body.index, body.com);
    const position = new Vector3(p[0] - origin[0]!, p[1] - origin[1]!, p[2] - origin[2]!);
    const step = position.clone().sub(this.#followedAt ?? this.#controls.target);
    this.#followedAt = position;
    this.#isUserView = true;
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
