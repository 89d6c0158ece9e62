/** Small pictures of machines at the start, for the gallery. All are drawn by one separate renderer. */
import type { Scenario } from "castor/scenario";
import { PerspectiveCamera, WebGLRenderer } from "three";
import type { ScenarioSource } from "../files/scenario-sources.ts";
import type { StudioState } from "../state/state.ts";
import { FIELD_OF_VIEW, fitCamera, subjectOfRun } from "./camera.ts";
import { anchorsLayer } from "./layers/anchors.ts";
import { skyLayer } from "./layers/background/sky.ts";
import { surroundingsLayer } from "./layers/background/surroundings.ts";
import { terrainLayer } from "./layers/background/terrain.ts";
import { bodiesLayer } from "./layers/bodies.ts";
import { elasticLayer } from "./layers/elastic.ts";
import { linksLayer } from "./layers/links.ts";
import { loopsLayer } from "./layers/loops.ts";
import { scenePalette } from "./palette.ts";
import { firstQuality, prepareRenderer } from "./quality.ts";
import { isInSpace, SceneModel } from "./scene-model.ts";

const LAYERS = [bodiesLayer, elasticLayer, linksLayer, anchorsLayer, loopsLayer, terrainLayer, surroundingsLayer, skyLayer];

export class Thumbnails {
  readonly #renderer: WebGLRenderer;
  readonly #width: number;
  readonly #height: number;
  #lastModel: SceneModel | undefined;

  /** @throws if there is no WebGL. */
  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
    this.#renderer = new WebGLRenderer({ antialias: true, alpha: true });
    prepareRenderer(this.#renderer);
    this.#renderer.setSize(width, height, false);
  }

  /** Draws a scenario at coordinates q, which close its loops. */
  async draw(
    scenario: Scenario,
    source: ScenarioSource,
    q: Float64Array,
    theme: StudioState["theme"],
    canvas: HTMLCanvasElement,
  ): Promise<void> {
    const options = { scenario, source, palette: scenePalette(theme, isInSpace(scenario)), layers: LAYERS, start: q };
    const model = await SceneModel.create({ ...options, redraw: () => {}, remark: () => {} });
    model.show({});
    const frame = model.update(0, undefined);
    const camera = new PerspectiveCamera(FIELD_OF_VIEW, this.#width / this.#height);
    fitCamera(camera, model.extent, subjectOfRun(model, frame));
    model.lighting.setQuality(firstQuality(this.#renderer));
    this.#renderer.render(model.scene, camera);
    this.#lastModel?.dispose(); // only now: the new picture reuses its shaders, which are slow to compile
    this.#lastModel = model;
    canvas.width = this.#width;
    canvas.height = this.#height;
    const context = canvas.getContext("2d");
    if (context === null) return;
    const [x, y] = [0.5 * this.#width, 0.35 * this.#height];
    const sky = context.createRadialGradient(x, y, 0, x, y, 1.2 * x);
    for (const [k, colour] of options.palette.sky.entries()) sky.addColorStop(k, colour);
    context.fillStyle = sky;
    context.fillRect(0, 0, this.#width, this.#height);
    context.drawImage(this.#renderer.domElement, 0, 0);
  }

  dispose(): void {
    this.#lastModel?.dispose();
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
  }
}
