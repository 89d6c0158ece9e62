/** The body or loop under the pointer: a click selects it, a double click looks at it, and its name is shown. */
import { type PerspectiveCamera, Raycaster, type Scene, Vector2 } from "three";
import type { Selection } from "../state/state.ts";

/** Longest movement of the pointer that counts as a click, px. */
const CLICK = 5;

/** Least time between two searches for what is under the pointer, ms. */
const HOVER_PERIOD = 80;

/**
 * @param select called with the selection; undefined if the click hits neither a body nor a loop
 * @param look called with the body that was double-clicked
 * @param hover called with what is under the pointer and the place of the pointer
 */
export function selectOnClick(
  canvas: HTMLCanvasElement,
  camera: PerspectiveCamera,
  currentScene: () => Scene | undefined,
  select: (selection: Selection | undefined) => void,
  look: (selection: Selection | undefined) => void,
  hover: (selection: Selection | undefined, x: number, y: number) => void,
): void {
  const ray = new Raycaster();
  let pressed: { readonly x: number; readonly y: number } | undefined;
  canvas.addEventListener("pointerdown", ({ clientX: x, clientY: y }) => {
    pressed = { x, y };
  });
  const selectionAt = ({ clientX, clientY }: MouseEvent): Selection | undefined => {
    const scene = currentScene();
    if (!scene) return undefined;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    ray.setFromCamera(new Vector2((2 * (clientX - left)) / width - 1, 1 - (2 * (clientY - top)) / height), camera);
    const hit = ray.intersectObjects(scene.children, true).find(({ object }) => isVisible(object) && partOf(object));
    return hit && partOf(hit.object);
  };
  canvas.addEventListener("pointerup", (event) => {
    if (!pressed || Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > CLICK) return;
    select(selectionAt(event));
  });
  canvas.addEventListener("dblclick", (event) => look(selectionAt(event)));
  let lastSearch = 0;
  canvas.addEventListener("pointermove", (event) => {
    if (event.buttons !== 0) return hover(undefined, 0, 0);
    if (event.timeStamp - lastSearch < HOVER_PERIOD || event.pointerType === "touch") return;
    lastSearch = event.timeStamp;
    hover(selectionAt(event), event.clientX, event.clientY);
  });
  canvas.addEventListener("pointerleave", () => hover(undefined, 0, 0));
}

/** True if the object and all its ancestors are visible. */
function isVisible(object: { visible: boolean; parent: unknown }): boolean {
  let ancestor: { visible: boolean; parent: unknown } | null = object;
  while (ancestor) {
    if (!ancestor.visible) return false;
    ancestor = ancestor.parent as typeof ancestor;
  }
  return true;
}

/** The body or loop that an object belongs to. */
function partOf({ userData }: { userData: Record<string, unknown> }): Selection | undefined {
  if (typeof userData.body === "string") return { kind: "body", name: userData.body };
  return typeof userData.loop === "string" ? { kind: "loop", name: userData.loop } : undefined;
}
