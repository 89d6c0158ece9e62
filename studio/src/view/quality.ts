/** Quality of the scene: full with shadows and fine resolution, or reduced on slow graphics. */
import { type Mesh, NeutralToneMapping, PCFShadowMap, type Scene, type WebGLRenderer } from "three";

export type Quality = "full" | "reduced";

/** Drawings slower than this, ms, several times in a row, reduce the quality. */
const SLOW_DRAWING = 70;
const SLOW_COUNT = 5;

export class QualityControl {
  readonly #renderer: WebGLRenderer;
  /** Reduced for the rest of the visit once drawing was slow. */
  #automatic: Quality;
  #slowDrawings = 0;
  #shown: Quality | undefined;

  constructor(renderer: WebGLRenderer) {
    this.#renderer = renderer;
    this.#automatic = firstQuality(renderer);
    prepareRenderer(renderer);
  }

  /** Sets the renderer to the quality that the user chose, or to the automatic one. Returns the quality. */
  apply(chosen: Quality | undefined): Quality {
    const quality = chosen ?? this.#automatic;
    if (quality === this.#shown) return quality;
    this.#shown = quality;
    this.#renderer.setPixelRatio(quality === "full" ? Math.min(devicePixelRatio, 2) : 1);
    this.#renderer.shadowMap.enabled = quality === "full";
    this.#renderer.shadowMap.needsUpdate = true;
    return quality;
  }

  /** Takes note of the duration of a drawing, ms. Returns true if the quality should now be reduced. */
  noteDuration(duration: number): boolean {
    this.#slowDrawings = duration > SLOW_DRAWING ? this.#slowDrawings + 1 : 0;
    if (this.#automatic === "reduced" || this.#slowDrawings < SLOW_COUNT) return false;
    this.#automatic = "reduced";
    return true;
  }
}

/** Tone mapping and shadows, for every renderer of scenes. */
export function prepareRenderer(renderer: WebGLRenderer): void {
  renderer.toneMapping = NeutralToneMapping;
  renderer.shadowMap.type = PCFShadowMap;
}

/** The quality before any drawing was measured. */
export const firstQuality = (renderer: WebGLRenderer): Quality => (isSoftware(renderer) ? "reduced" : "full");

/** True if the processor draws, without a graphics card. */
function isSoftware(renderer: WebGLRenderer): boolean {
  const gl = renderer.getContext();
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name = info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

/** Compiles all materials of a scene again. */
export const compileAgain = (scene: Scene): void =>
  scene.traverse((object) => {
    for (const material of [(object as Partial<Mesh>).material ?? []].flat()) material.needsUpdate = true;
  });
