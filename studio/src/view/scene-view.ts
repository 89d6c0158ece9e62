/** The scene on the screen. It is drawn whenever something has changed. */
import type { Scenario } from "castor/scenario";
import { type PerspectiveCamera, WebGLRenderer } from "three";
import type { ScenarioSource } from "../files/scenario-sources.ts";
import { type CameraView, currentRun, shownMode } from "../state/state.ts";
import type { Studio } from "../studio.ts";
import { CameraControl } from "./camera-control.ts";
import { FramePacing } from "./frame-pacing.ts";
import { bodyPointToWorld } from "./geometry/body-points.ts";
import { bodyReach } from "./geometry/machine-extent.ts";
import type { Layer, SceneFrame } from "./layer.ts";
import { LAYERS } from "./layers/index.ts";
import { namesLayer } from "./names-layer.ts";
import { listenForViews, SceneOverlay, type StandardView, viewDirection } from "./overlay.ts";
import { type ScenePalette, scenePalette } from "./palette.ts";
import { compileAgain, type Quality, QualityControl } from "./quality.ts";
import { isInSpace, SceneModel } from "./scene-model.ts";
import { modeInScene, sceneDescription, timeText } from "./scene-text.ts";
import { selectOnClick } from "./select-on-click.ts";
import { SelectionOutline } from "./selection-outline.ts";

/** Texts of the scene. */
export interface SceneTexts {
  legend(lines: readonly string[]): void;
  remark(text: string): void;
}

export class SceneView {
  readonly canvas: HTMLCanvasElement;
  readonly #renderer: WebGLRenderer;
  readonly #camera: CameraControl;
  readonly #overlay: SceneOverlay;
  readonly #studio: Studio;
  readonly #texts: SceneTexts;
  #model: SceneModel | undefined;
  /** The scene before. It is kept until a complete run has been drawn, because the new scene reuses its shaders, which are slow to compile. */
  #previousModel: SceneModel | undefined;
  #scenario: Scenario | undefined;
  #theme = "";
  /** The scene shows a log without its scenario. */
  #isLogOnly = false;
  #source: ScenarioSource | undefined;
  /** The view of the state that the camera has taken. */
  #shownCamera: CameraView | undefined;
  #frame: SceneFrame | undefined;
  readonly #pacing = new FramePacing(
    () => this.#draw(),
    (duration) => {
      if (this.#quality.noteDuration(duration)) this.redraw();
    },
  );
  readonly #host: HTMLElement;
  readonly #outline = new SelectionOutline();
  readonly #quality: QualityControl;
  #shownQuality: Quality | undefined;
  /** Number of the last scene, so that a scene that is ready late does not replace a newer one. */
  #sceneNumber = 0;

  /** @throws if there is no WebGL. */
  constructor(host: HTMLElement, studio: Studio, texts: SceneTexts) {
    this.#studio = studio;
    this.#texts = texts;
    this.#renderer = new WebGLRenderer({ antialias: true, alpha: true, powerPreference: "high-performance" });
    this.#host = host;
    this.#quality = new QualityControl(this.#renderer);
    this.canvas = this.#renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    host.prepend(this.canvas);
    this.#camera = new CameraControl(this.canvas, this.redraw, this.fit, (camera) => {
      this.#shownCamera = camera;
      studio.store.set({ camera });
    });
    selectOnClick(
      this.canvas,
      this.#camera.camera,
      () => this.#model?.scene,
      (selection) => studio.store.set({ selection }),
      (selection) => this.focus(selection?.kind === "body" ? selection.name : undefined),
      (selection, x, y) => this.#overlay.tip(selection?.name, x, y),
    );
    this.#overlay = new SceneOverlay(host);
    listenForViews(this.canvas, (view) => this.lookFrom(view));
    this.canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      this.#release();
      texts.remark("The browser has lost the graphics card. The scene returns when it is available again.");
    });
    this.canvas.addEventListener("webglcontextrestored", () => this.#rebuild());
    new ResizeObserver(() => this.#resize(host)).observe(host);
    this.#watchState();
  }

  #watchState(): void {
    const { store } = this.#studio;
    store.watch(["scenario", "theme", "current"], () => this.#rebuild());
    store.watch(["layers"], ({ layers }) => {
      this.#model?.show(layers);
      this.redraw();
    });
    store.watch(["quality", "time", "selection", "page", "followed", "modes", "phase"], () => this.redraw());
    store.watch(["runs"], () => this.#redrawForRun());
    store.watch(["camera"], ({ camera }) => {
      if (camera === this.#shownCamera) return;
      this.#shownCamera = camera;
      if (camera) this.#camera.show(camera);
    });
  }

  /** Draws with the next frame of the screen. */
  redraw = (): void => this.#pacing.soon();

  /** Draws after a change of the run. While the run goes on, this can wait. */
  #redrawForRun(): void {
    if (this.#frame && currentRun(this.#studio.state)?.status === "running") this.#pacing.later();
    else this.redraw();
  }

  /** True if the layer has anything to draw. */
  has = (layer: Layer): boolean => this.#model?.has(layer) ?? false;

  /** Frees the objects of a lost graphics context. The browser would warn if they were freed after it was restored. */
  #release(): void {
    this.#model?.release();
    this.#previousModel?.release();
    this.#outline.dispose();
    this.#model = this.#previousModel = undefined;
    this.#theme = ""; // the scene is created again
    this.#sceneNumber++;
    this.#draw(); // hides the texts of the scene
  }

  #rebuild(): void {
    if (this.#renderer.getContext().isContextLost()) return; // the scene is created when the context is restored
    this.#createScene().catch((error: Error) => this.#texts.remark(`The machine cannot be drawn here: ${error.message}`));
  }

  /** Creates the scene again if the scenario or the theme has changed. */
  async #createScene(): Promise<void> {
    const { theme, source, layers } = this.#studio.state;
    const run = currentRun(this.#studio.state);
    const scenario = run?.scenario ?? (run ? undefined : this.#studio.state.scenario);
    const isLogOnly = scenario === undefined && run !== undefined;
    if (scenario === this.#scenario && theme === this.#theme && isLogOnly === this.#isLogOnly) return this.#redrawForRun();
    const isNewPicture = theme !== this.#theme || source !== this.#source;
    this.#scenario = scenario;
    this.#isLogOnly = isLogOnly;
    this.#theme = theme;
    const sceneNumber = ++this.#sceneNumber;
    this.#texts.remark("");
    const model =
      scenario &&
      (await SceneModel.create({
        scenario,
        source,
        palette: scenePalette(theme, isInSpace(scenario)),
        layers: LAYERS,
        redraw: this.redraw,
        remark: this.#texts.remark,
      }));
    if (sceneNumber !== this.#sceneNumber) return model?.dispose();
    if (this.#previousModel)
      this.#model?.dispose(); // it may not have compiled all shaders of the model before it
    else this.#previousModel = this.#model;
    this.#model = model;
    const { sky, dark } = this.palette;
    this.#host.style.setProperty("--sky-centre", sky[0]);
    this.#host.style.setProperty("--sky-border", sky[1]);
    this.#host.dataset.sky = dark ? "dark" : "light";
    model?.show(layers);
    if (source !== this.#source) {
      this.#camera.reset();
      const { camera } = this.#studio.state;
      if (camera) this.#camera.show(camera);
    }
    this.#source = source;
    if (isLogOnly)
      this.#texts.remark("This log was opened without its scenario: its channels can be plotted, but no machine can be drawn.");
    if (isNewPicture) this.redraw();
    else this.#redrawForRun();
  }

  #draw(): void {
    const model = this.#model;
    const { state } = this.#studio;
    if (state.page !== "scenario") return;
    this.canvas.style.visibility = model ? "" : "hidden";
    if (!model) {
      this.#texts.legend([]);
      this.#overlay.hide();
      return;
    }
    const began = performance.now();
    const run = currentRun(state);
    const mode = shownMode(state);
    const frame = model.update(state.time, run?.log, mode && modeInScene(state, mode));
    const displayChanged = (this.#frame?.mode === undefined) !== (frame.mode === undefined);
    this.#frame = frame;
    this.#camera.update(model, frame, displayChanged, state.followed);
    this.#applyQuality(model);
    this.#render(this.#renderer, model, this.#camera.camera);
    this.#pacing.measure(this.#renderer.getContext() as WebGL2RenderingContext, began);
    if (run?.status !== "running") {
      this.#previousModel?.dispose();
      this.#previousModel = undefined;
    }
    this.canvas.dataset.time = String(state.time);
    const remark = this.#shownQuality === "reduced" ? ["reduced quality: slow graphics"] : [];
    this.#texts.legend([...model.legends(), ...remark]);
    this.#overlay.update(this.#camera.camera, this.#camera.target, model, frame, state.layers[namesLayer.id] ?? false);
    this.canvas.setAttribute("aria-label", sceneDescription(this.#scenario?.name ?? "machine", frame));
  }

  #applyQuality({ scene, lighting }: SceneModel): void {
    const quality = this.#quality.apply(this.#studio.state.quality);
    lighting.setQuality(quality);
    if (quality === this.#shownQuality) return;
    this.#shownQuality = quality;
    compileAgain(scene); // with or without shadows
    const { clientWidth: width, clientHeight: height } = this.#host;
    if (width > 0 && height > 0) this.#renderer.setSize(width, height);
  }

  #render(renderer: WebGLRenderer, { scene }: SceneModel, camera: PerspectiveCamera): void {
    renderer.render(scene, camera);
    const { selection } = this.#studio.state;
    this.#outline.draw(renderer, scene, camera, { selection, model: this.#scenario?.model, colour: this.palette.selected });
  }

  /** Quality of the scene that is shown. */
  get quality(): Quality {
    return this.#shownQuality ?? "full";
  }

  /** Colours of the scene that is shown. */
  get palette(): ScenePalette {
    return this.#model?.context.palette ?? scenePalette(this.#studio.state.theme, false);
  }

  /** The scene that is shown. */
  get model(): SceneModel | undefined {
    return this.#model;
  }

  /** Looks at the machine from a standard direction. */
  lookFrom(view: StandardView): void {
    if (!this.#model) return;
    const { up, eye } = this.#model.extent;
    this.#camera.lookFrom(viewDirection(view, up, eye), up);
  }

  /** Looks at a body from near. Without a name: at the whole machine. */
  focus(name: string | undefined): void {
    const [model, frame] = [this.#model, this.#frame];
    const body = model?.motion.model.bodies.find((b) => b.name === name);
    if (!model || !frame || !body) {
      this.fit();
      return;
    }
    const [x, y, z] = bodyPointToWorld(frame.poses, body.index, body.com);
    const distance = 3.6 * (bodyReach(model.extent, body) || 0.2 * model.extent.radius);
    this.#camera.focus([x - frame.origin[0]!, y - frame.origin[1]!, z - frame.origin[2]!], distance);
  }

  /** Draws the present moment with another renderer, for pictures. Returns false if there is no machine to draw. */
  drawWith(renderer: WebGLRenderer, aspect: number): boolean {
    this.#draw();
    if (!this.#model) return false;
    const camera = this.#camera.camera.clone();
    camera.aspect = aspect;
    camera.updateProjectionMatrix();
    this.#render(renderer, this.#model, camera);
    return true;
  }

  /** "12.5 s", or the caption of the mode that is shown. */
  caption(t: number): string {
    return this.#frame?.mode?.caption ?? `${timeText(t, this.#studio.duration())} s`;
  }

  #resize(host: HTMLElement): void {
    const { clientWidth: width, clientHeight: height } = host;
    if (width === 0 || height === 0) return;
    this.#renderer.setSize(width, height);
    this.#camera.resize(width, height);
    this.#overlay.resize(width, height);
    if (!this.#camera.isUserView) this.fit();
    this.#draw();
  }

  /** Shows all places of the machine in the run. */
  fit = (): void => {
    if (!this.#model || !this.#frame) return;
    this.#camera.reset();
    this.#studio.store.set({ camera: undefined });
    this.#camera.fit(this.#model, this.#frame);
    this.redraw();
  };
}
