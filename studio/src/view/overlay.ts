/** Drawn over the scene: the directions of the world's axes, a scale, names of bodies, and values of force arrows. */
import type { NumericVec3 } from "castor/model";
import { type PerspectiveCamera, type Quaternion, Vector3 } from "three";
import { h, replaceContent, svg } from "../elements/dom.ts";
import { FIELD_OF_VIEW } from "./camera.ts";
import { bodyPointToWorld } from "./geometry/body-points.ts";
import { roundNumberBelow, threeDigits } from "./geometry/drawing.ts";
import type { SceneFrame, SceneLabel, SkyDirection } from "./layer.ts";
import type { SceneModel } from "./scene-model.ts";

/** Length of the axes and longest scale, px. */
const [AXIS, SCALE] = [24, 110];
/** Radius of the circle with the directions to the Sun and the Earth, px. */
const SKY = 24;
/** Most names in the scene; more would cover it. */
const MAX_NAMES = 60;
/** Width of a character and height of a line of a label, px. A label that would cover another one is left out. */
const [CHARACTER, LINE] = [6.4, 18];

export class SceneOverlay {
  readonly #host: HTMLElement;
  readonly #triad = svg("svg", { class: "triad", viewBox: "-36 -36 72 72", "aria-hidden": "true" });
  readonly #sky = svg("svg", { class: "sky-compass", viewBox: "-66 -36 132 72", "aria-hidden": "true" });
  readonly #scale = h("div", { class: "scale-bar", "aria-hidden": "true" });
  readonly #names = h("div", { class: "scene-names", "aria-hidden": "true" });
  readonly #tip = h("div", { class: "scene-tip", "aria-hidden": "true", hidden: true });
  /** Elements of the labels, used again for every frame. */
  readonly #pool: HTMLElement[] = [];
  readonly #point = new Vector3();
  /** Size of the scene, px. */
  #width = 1;
  #height = 1;
  /** Text of the state that the triad and the directions show: they are drawn again only after it changes. */
  #shownDirections = "";

  constructor(host: HTMLElement) {
    this.#host = host;
    host.append(this.#names, this.#triad as unknown as Node, this.#sky as unknown as Node, this.#scale, this.#tip);
  }

  /** Takes the size of the scene, px. Reading it for every frame would compute the layout of the page. */
  resize(width: number, height: number): void {
    this.#width = width;
    this.#height = height;
  }

  update(camera: PerspectiveCamera, target: Vector3, model: SceneModel, frame: SceneFrame, showNames: boolean): void {
    camera.updateMatrixWorld();
    this.#drawDirections(camera.quaternion.clone().invert(), model.directions());
    this.#drawScale(camera, target);
    const labels: SceneLabel[] = [...model.labels()];
    if (showNames)
      for (const { name, index, com } of model.motion.model.bodies.slice(0, MAX_NAMES)) {
        const [x, y, z] = bodyPointToWorld(frame.poses, index, com);
        labels.push({ text: name, at: [x - frame.origin[0]!, y - frame.origin[1]!, z - frame.origin[2]!] });
      }
    this.#place(camera, labels);
  }

  #drawDirections(toCamera: Quaternion, directions: readonly SkyDirection[]): void {
    const numbers = [...toCamera.toArray(), ...directions.flatMap(({ to }) => to)];
    const shown = `${numbers.map((x) => x.toFixed(4)).join()} ${directions.map(({ name }) => name).join()}`;
    if (shown === this.#shownDirections) return;
    this.#shownDirections = shown;
    this.#drawTriad(toCamera);
    this.#drawSky(toCamera, directions);
  }

  hide(): void {
    this.#shownDirections = "";
    for (const drawing of [this.#triad, this.#sky]) replaceContent(drawing as unknown as HTMLElement);
    this.#scale.hidden = true;
    for (const element of this.#pool) element.hidden = true;
    this.tip(undefined);
  }

  /** The name of what is under the pointer, at a point of the page. */
  tip(text: string | undefined, x = 0, y = 0): void {
    this.#tip.hidden = text === undefined;
    if (text === undefined) return;
    const { left, top } = this.#host.getBoundingClientRect();
    this.#tip.textContent = text;
    this.#tip.style.transform = `translate(${x - left + 12}px, ${y - top + 12}px)`;
  }

  #drawTriad(toCamera: Quaternion): void {
    const axes = (["x", "y", "z"] as const).map((name, k) => {
      const v = new Vector3(k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0).applyQuaternion(toCamera);
      return { name, v };
    });
    axes.sort((a, b) => a.v.z - b.v.z);
    replaceContent(
      this.#triad as unknown as HTMLElement,
      ...axes.flatMap(({ name, v }) => [
        svg("line", {
          x2: AXIS * v.x,
          y2: -AXIS * v.y,
          class: `axis-${name}`,
          "stroke-width": 2.5,
          "stroke-linecap": "round",
        }) as unknown as Node,
        svg(
          "text",
          { x: 1.3 * AXIS * v.x, y: -1.3 * AXIS * v.y + 4, "text-anchor": "middle", class: `axis-${name}` },
          name,
        ) as unknown as Node,
      ]),
    );
  }

  /** The directions to the Sun and the Earth as seen by the camera. They are hollow if they are behind the viewer. */
  #drawSky(toCamera: Quaternion, directions: readonly SkyDirection[]): void {
    const marks = directions.flatMap(({ name, to }) => {
      const v = new Vector3(...to).normalize().applyQuaternion(toCamera);
      const [x, y] = [SKY * v.x, -SKY * v.y];
      const side = x < 0 ? -1 : 1;
      const text = { x: x + 8 * side, y: y + 3.5, "text-anchor": side < 0 ? "end" : "start" };
      const dot = { cx: x, cy: y, r: 4.5, class: `sky-${name.toLowerCase()} ${v.z > 0 ? "behind" : ""}` };
      return [svg("circle", dot), svg("text", text, name)] as unknown as Node[];
    });
    const circle = svg("circle", { r: SKY, class: "horizon" }) as unknown as Node;
    replaceContent(this.#sky as unknown as HTMLElement, ...(marks.length > 0 ? [circle, ...marks] : []));
  }

  #drawScale(camera: PerspectiveCamera, target: Vector3): void {
    const distance = camera.position.distanceTo(target);
    const pixelsPerMetre = this.#height / (2 * Math.tan((FIELD_OF_VIEW * Math.PI) / 360) * distance);
    const length = roundNumberBelow(SCALE / pixelsPerMetre);
    const isShown = length > 0 && Number.isFinite(length);
    if (this.#scale.hidden === isShown) this.#scale.hidden = !isShown;
    const width = `${(length * pixelsPerMetre).toFixed(1)}px`;
    if (this.#scale.style.width !== width) this.#scale.style.width = width;
    const text =
      length >= 1000
        ? `${threeDigits(length / 1000)} km`
        : length < 0.01
          ? `${threeDigits(1000 * length)} mm`
          : `${threeDigits(length)} m`;
    if (this.#scale.textContent !== text) this.#scale.textContent = text;
  }

  #place(camera: PerspectiveCamera, labels: readonly SceneLabel[]): void {
    while (this.#pool.length < labels.length) {
      const element = h("span", {});
      this.#pool.push(element);
      this.#names.append(element);
    }
    const shown: { readonly x: number; readonly y: number; readonly width: number }[] = [];
    for (const [i, element] of this.#pool.entries()) {
      const label = labels[i];
      const p = label && this.#point.set(...label.at).project(camera);
      element.hidden = p === undefined || p.z > 1 || Math.abs(p.x) > 1 || Math.abs(p.y) > 1;
      if (element.hidden || !p || !label) continue;
      const [x, y] = [((p.x + 1) / 2) * this.#width, ((1 - p.y) / 2) * this.#height];
      const width = CHARACTER * label.text.length + 10;
      // Labels come in the order of their importance: the largest force first.
      element.hidden = shown.some((other) => Math.abs(x - other.x) < (width + other.width) / 2 && Math.abs(y - other.y) < LINE);
      if (element.hidden) continue;
      shown.push({ x, y, width });
      if (element.textContent !== label.text) element.textContent = label.text;
      if (element.className !== (label.kind ?? "")) element.className = label.kind ?? "";
      element.style.transform = `translate(${x}px, ${y}px) translate(-50%, -110%)`;
    }
  }
}

export type StandardView = "front" | "back" | "left" | "right" | "top" | "bottom" | "oblique";

export const STANDARD_VIEWS: readonly StandardView[] = ["front", "back", "left", "right", "top", "bottom", "oblique"];

/** Calls `look` for the keys 1 to 7. */
export function listenForViews(canvas: HTMLElement, look: (view: StandardView) => void): void {
  canvas.addEventListener("keydown", (event) => {
    const view = STANDARD_VIEWS[Number(event.key) - 1];
    if (view === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    look(view);
  });
}

/** Direction from the machine to the camera. @param up an axis or any direction; @param eye the direction of the automatic view */
export function viewDirection(view: StandardView, up: NumericVec3, eye: NumericVec3): NumericVec3 {
  if (view === "oblique") return eye;
  const above = new Vector3(...up).normalize();
  // The front looks along the world's axis that is nearest to the horizontal part of the automatic view.
  const flat = new Vector3(...eye).addScaledVector(above, -new Vector3(...eye).dot(above));
  const axes = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)].map((axis) =>
    axis.addScaledVector(above, -axis.dot(above)),
  );
  const nearest = axes.reduce((best, axis) => (Math.abs(axis.dot(flat)) > Math.abs(best.dot(flat)) ? axis : best));
  const front = nearest.multiplyScalar(Math.sign(nearest.dot(flat)) || 1).normalize();
  const right = above.clone().cross(front);
  const directions: Readonly<Record<Exclude<StandardView, "oblique">, Vector3>> = {
    ...{ front, back: front.clone().negate(), right, left: right.clone().negate() },
    ...{ top: above, bottom: above.clone().negate() },
  };
  return directions[view].toArray() as NumericVec3;
}
