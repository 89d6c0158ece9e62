/** Takes pictures of the scene in any size: the scene over its background, with the time below. */
import { WebGLRenderer } from "three";
import { StudioError } from "../state/studio-error.ts";
import type { Studio } from "../studio.ts";
import { prepareRenderer } from "../view/quality.ts";
import type { SceneView } from "../view/scene-view.ts";

export class SceneCamera {
  readonly canvas: HTMLCanvasElement;
  readonly #renderer: WebGLRenderer;
  readonly #view: SceneView;
  readonly #studio: Studio;

  /** @param scale size of the texts, 1 for those of the page. @throws if there is no WebGL. */
  constructor(
    view: SceneView,
    studio: Studio,
    width: number,
    height: number,
    readonly scale: number,
  ) {
    this.#view = view;
    this.#studio = studio;
    this.#renderer = new WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    prepareRenderer(this.#renderer);
    this.#renderer.shadowMap.enabled = view.quality === "full";
    this.#renderer.setSize(width, height, false);
    this.canvas = document.createElement("canvas");
    [this.canvas.width, this.canvas.height] = [width, height];
  }

  /** Draws the scene at the present time of the studio onto `canvas`. @throws if there is no machine to draw. */
  take(): HTMLCanvasElement {
    const context = this.canvas.getContext("2d")!;
    const { width, height } = this.canvas;
    if (!this.#view.drawWith(this.#renderer, width / height)) throw new StudioError("there is no machine in the scene");
    this.#paintBackground(context);
    context.drawImage(this.#renderer.domElement, 0, 0);
    this.#writeCaption(context);
    return this.canvas;
  }

  /** The same gradient as the page: see `.view` in style.css. */
  #paintBackground(context: CanvasRenderingContext2D): void {
    const { width, height } = this.canvas;
    const [inner, outer] = this.#view.palette.sky;
    const [rx, ry] = [1.2 * width, 0.9 * height];
    context.save();
    context.setTransform(rx, 0, 0, ry, 0.5 * width, 0.35 * height);
    const gradient = context.createRadialGradient(0, 0, 0, 0, 0, 1);
    gradient.addColorStop(0, inner);
    gradient.addColorStop(1, outer);
    context.fillStyle = gradient;
    context.fillRect(-1, -1, 2, 2);
    context.restore();
  }

  #writeCaption(context: CanvasRenderingContext2D): void {
    const { scenario, time } = this.#studio.state;
    const text = [scenario?.name, this.#view.caption(time)].filter(Boolean).join(" · ");
    context.font = `${Math.round(13 * this.scale)}px system-ui, sans-serif`;
    context.fillStyle = this.#view.palette.dark ? "#c3cedb" : "#46515e";
    context.fillText(text, 10 * this.scale, this.canvas.height - 10 * this.scale);
  }

  dispose(): void {
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
  }
}

/** The largest width and height of a picture that this browser can draw, px. */
export function largestPicture(): number {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) return 0;
  const largest = Math.min(
    gl.getParameter(gl.MAX_RENDERBUFFER_SIZE) as number,
    ...(gl.getParameter(gl.MAX_VIEWPORT_DIMS) as Int32Array),
  );
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return Math.min(largest, 16_384);
}
