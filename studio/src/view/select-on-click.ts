/** Selects the body or loop under the pointer when the scene is clicked. */
import { type PerspectiveCamera, Raycaster, type Scene, Vector2 } from "three";
import type { Selection } from "../state/state.ts";

/** Longest movement of the pointer that counts as a click, px. */
const CLICK = 5;

/** @param select called with the selection; undefined if the click hits neither a body nor a loop */
export function selectOnClick(
  canvas: HTMLCanvasElement,
  camera: PerspectiveCamera,
  currentScene: () => Scene | undefined,
  select: (selection: Selection | undefined) => void,
): void {
  const ray = new Raycaster();
  let pressed: { readonly x: number; readonly y: number } | undefined;
  canvas.addEventListener("pointerdown", ({ clientX: x, clientY: y }) => {
    pressed = { x, y };
  });
  canvas.addEventListener("pointerup", ({ clientX, clientY }) => {
    const scene = currentScene();
    if (!pressed || !scene || Math.hypot(clientX - pressed.x, clientY - pressed.y) > CLICK) return;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    ray.setFromCamera(new Vector2((2 * (clientX - left)) / width - 1, 1 - (2 * (clientY - top)) / height), camera);
    const hit = ray.intersectObjects(scene.children, true).find(({ object }) => isVisible(object) && partOf(object));
    select(hit && partOf(hit.object));
  });
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
