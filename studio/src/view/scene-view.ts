/** The scene on the screen: drawn when something has changed, turned by the mouse, fingers or keys. */
import type { Scenario } from "castor";
import { Mesh, type MeshLambertMaterial, PerspectiveCamera, Raycaster, Vector2, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { ScenarioSource } from "../files/scenario-sources.ts";
import { currentRun, shownMode } from "../state/state.ts";
import type { Studio } from "../studio.ts";
import type { ModesResult } from "../worker/protocol.ts";
import { type CameraSubject, FIELD_OF_VIEW, type FillLimits, fitCamera, subjectNow, subjectOfRun } from "./camera.ts";
import { FramePacing } from "./frame-pacing.ts";
import { bodyPointToWorld } from "./geometry/machine-extent.ts";
import type { Layer, SceneFrame } from "./layer.ts";
import { LAYERS } from "./layers/index.ts";
import type { ShownMode } from "./motion/mode-motion.ts";
import { SCENE_PALETTES } from "./palette.ts";
import { SceneModel } from "./scene-model.ts";

/** Fingers and mice move a little even when they only click, pixels. */
const CLICK = 5;

/** Heights of the buttons over the scene and of the words under it, pixels. */
const [ABOVE, BELOW] = [46, 30];

export interface SceneTexts {
  legend(lines: readonly string[]): void;
  remark(text: string): void;
}

export class SceneView {
  readonly canvas: HTMLCanvasElement;
  readonly #renderer: WebGLRenderer;
  readonly #camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 1000);
  readonly #controls: OrbitControls;
  readonly #studio: Studio;
  readonly #texts: SceneTexts;
  #model: SceneModel | undefined;
  /** The scene that went before: kept until a whole run has been drawn, which takes over its shaders. They are slow to compile. */
  #old: SceneModel | undefined;
  #scenario: Scenario | undefined;
  #theme = "";
  /** A log is shown without its scenario. */
  #isBare = false;
  #source: ScenarioSource | undefined;
  #frame: SceneFrame | undefined;
  readonly #pace = new FramePacing(() => this.#draw());
  /** The user has chosen how to look at it. */
  #moved = false;
  /** The camera goes along with the machine, until the user has chosen how to look at it. */
  #travels = false;
  #followedAt: Vector3 | undefined;
  /** Numbers the scenes, so that one that comes late does not replace a newer one. */
  #turn = 0;

  /** @throws if there is no WebGL. */
  constructor(host: HTMLElement, studio: Studio, texts: SceneTexts) {
    this.#studio = studio;
    this.#texts = texts;
    this.#renderer = new WebGLRenderer({ antialias: true, alpha: true, powerPreference: "high-performance" });
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.canvas = this.#renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    host.prepend(this.canvas);
    this.#controls = new OrbitControls(this.#camera, this.canvas);
    this.#controls.enableDamping = false;
    this.#controls.addEventListener("start", () => {
      this.#moved = true;
    });
    this.#controls.addEventListener("change", () => this.redraw());
    this.canvas.addEventListener("keydown", (event) => this.#key(event));
    this.#pickOnClick();
    this.canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      texts.remark("The graphics card has gone away; the scene comes back when it does.");
    });
    this.canvas.addEventListener("webglcontextrestored", () => {
      texts.remark("");
      this.redraw();
    });
    new ResizeObserver(() => this.#resize(host)).observe(host);
    const { store } = studio;
    const rebuild = (): Promise<void> =>
      this.#rebuild().catch((error: Error) => texts.remark(`The machine cannot be drawn here: ${error.message}`));
    store.watch(["scenario", "theme", "current"], () => void rebuild());
    store.watch(["layers"], ({ layers }) => {
      this.#model?.show(layers);
      this.redraw();
    });
    store.watch(["time", "selection", "page", "followed", "modes", "phase"], () => this.redraw());
    store.watch(["runs"], () => this.#grown());
    store.watch(["followed"], () => {
      this.#followedAt = undefined;
    });
  }

  /** Draws with the next frame of the screen. */
  redraw = (): void => this.#pace.soon();

  /** The run has more samples, or another one has begun: what there is to see of it can wait until it has got somewhere. */
  #grown(): void {
    if (this.#frame && currentRun(this.#studio.state)?.status === "running") this.#pace.later();
    else this.redraw();
  }

  /** Whether there is anything of the kind to draw. */
  has = (layer: Layer): boolean => this.#model?.has(layer) ?? false;

  async #rebuild(): Promise<void> {
    const { theme, source, layers } = this.#studio.state;
    const run = currentRun(this.#studio.state);
    const scenario = run?.scenario ?? (run ? undefined : this.#studio.state.scenario);
    const isBare = scenario === undefined && run !== undefined;
    if (scenario === this.#scenario && theme === this.#theme && isBare === this.#isBare) return this.#grown();
    const isOther = theme !== this.#theme || source !== this.#source;
    this.#scenario = scenario;
    this.#isBare = isBare;
    this.#theme = theme;
    const turn = ++this.#turn;
    this.#texts.remark("");
    const model =
      scenario &&
      (await SceneModel.create({
        scenario,
        source,
        palette: SCENE_PALETTES[theme],
        layers: LAYERS,
        redraw: this.redraw,
        remark: this.#texts.remark,
      }));
    if (turn !== this.#turn) return model?.dispose();
    if (this.#old)
      this.#model?.dispose(); // it may never have drawn what the one before has
    else this.#old = this.#model;
    this.#model = model;
    model?.show(layers);
    if (source !== this.#source) this.#moved = false;
    this.#source = source;
    this.#followedAt = undefined;
    if (isBare) this.#texts.remark("This log came without its scenario: there are its numbers, but no machine to show.");
    if (isOther) this.redraw();
    else this.#grown();
  }

  #draw(): void {
    const model = this.#model;
    const { state } = this.#studio;
    if (state.page !== "scenario") return;
    this.canvas.style.visibility = model ? "" : "hidden";
    if (!model) {
      this.#texts.legend([]);
      return;
    }
    const began = performance.now();
    const run = currentRun(state);
    const shown = shownMode(state);
    const frame = model.update(state.time, run?.log, shown && modeOf(state, shown));
    const isOther = (this.#frame?.mode === undefined) !== (frame.mode === undefined);
    this.#frame = frame;
    if (!this.#moved && (frame.logChanged || isOther)) this.#look(subjectOfRun(model, frame));
    else if (!this.#moved && this.#travels) this.#look(subjectNow(model, frame));
    this.#follow(model, frame);
    this.#mark(model);
    this.#renderer.render(model.scene, this.#camera);
    this.#pace.measure(this.#renderer.getContext() as WebGL2RenderingContext, began);
    if (run?.status !== "running") {
      this.#old?.dispose();
      this.#old = undefined;
    }
    this.canvas.dataset.time = String(state.time);
    this.#texts.legend(model.legends());
    const name = this.#scenario?.name ?? "machine";
    const keys = "Keys: W, A, S, D turn it, + and - zoom, F fits it";
    const what = frame.mode ? `: ${frame.mode.caption}` : ` at ${Number(state.time.toPrecision(4))} s`;
    this.canvas.setAttribute("aria-label", `${name}${what}. ${keys}`);
  }

  #resize(host: HTMLElement): void {
    const { clientWidth: width, clientHeight: height } = host;
    if (width === 0 || height === 0) return;
    this.#renderer.setSize(width, height);
    this.#camera.aspect = width / height;
    this.#camera.updateProjectionMatrix();
    if (!this.#moved) this.fit();
    this.#draw();
  }

  /** Looks at all places where the machine goes. */
  fit = (): void => {
    const model = this.#model;
    if (!model || !this.#frame) return;
    this.#look(subjectOfRun(model, this.#frame));
    this.redraw();
  };

  #look(sight: CameraSubject): void {
    const { extent } = this.#model!;
    this.#travels = sight.travels;
    this.#controls.target.copy(fitCamera(this.#camera, extent, sight, roomIn(this.canvas.clientHeight)));
    this.#controls.minDistance = 0.05 * extent.radius;
    this.#controls.maxDistance = 100 * extent.radius;
    this.#controls.update();
  }

  #follow(model: SceneModel, { poses, origin }: SceneFrame): void {
    const { followed } = this.#studio.state;
    const body = model.motion.model.bodies.find(({ name }) => name === followed);
    if (!body) return;
    const p = bodyPointToWorld(poses, body.index, body.com);
    const at = new Vector3(p[0] - origin[0]!, p[1] - origin[1]!, p[2] - origin[2]!);
    const step = at.clone().sub(this.#followedAt ?? this.#controls.target);
    this.#followedAt = at;
    this.#moved = true;
    this.#camera.position.add(step);
    this.#controls.target.add(step);
    this.#camera.lookAt(this.#controls.target);
  }

  /** What is picked glows. */
  #mark({ scene }: SceneModel): void {
    const { selection, theme } = this.#studio.state;
    scene.traverse((part) => {
      const { body } = part.userData as { readonly body?: string };
      if (body === undefined || !(part instanceof Mesh)) return;
      const material = part.material as MeshLambertMaterial;
      if (!material.emissive || part.userData.plainGlow === undefined) part.userData.plainGlow = material.emissive?.getHex() ?? 0;
      const hinge = this.#scenario?.model.bodies.find((b) => b.name === body)?.hinge.name;
      const picked =
        (selection?.kind === "body" && selection.name === body) || (selection?.kind === "hinge" && selection.name === hinge);
      if (picked && !part.userData.own) {
        part.material = material.clone(); // a material may be shared
        part.userData.own = material;
        (part.material as MeshLambertMaterial).emissive.set(SCENE_PALETTES[theme].selected);
        (part.material as MeshLambertMaterial).emissiveIntensity = 0.55;
      } else if (!picked && part.userData.own) {
        material.dispose();
        part.material = part.userData.own;
        part.userData.own = undefined;
      }
    });
  }

  #pickOnClick(): void {
    const ray = new Raycaster();
    let pressed: { readonly x: number; readonly y: number } | undefined;
    this.canvas.addEventListener("pointerdown", ({ clientX: x, clientY: y }) => {
      pressed = { x, y };
    });
    this.canvas.addEventListener("pointerup", ({ clientX, clientY }) => {
      const model = this.#model;
      if (!pressed || !model || Math.hypot(clientX - pressed.x, clientY - pressed.y) > CLICK) return;
      const { left, top, width, height } = this.canvas.getBoundingClientRect();
      const at = new Vector2((2 * (clientX - left)) / width - 1, 1 - (2 * (clientY - top)) / height);
      ray.setFromCamera(at, this.#camera);
      const hit = ray.intersectObjects(model.scene.children, true).find(({ object }) => isVisible(object) && nameOf(object));
      this.#studio.store.set({ selection: hit && nameOf(hit.object) });
    });
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const turn = 0.12;
    const actions: Readonly<Record<string, () => void>> = {
      a: () => this.#orbit(turn, 0),
      d: () => this.#orbit(-turn, 0),
      w: () => this.#orbit(0, -turn),
      s: () => this.#orbit(0, turn),
      "+": () => this.#zoom(0.88),
      "=": () => this.#zoom(0.88),
      "-": () => this.#zoom(1 / 0.88),
      f: this.fit,
    };
    const action = actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    this.#moved = true;
    action();
  }

  #orbit(around: number, over: number): void {
    const { target } = this.#controls;
    const arm = this.#camera.position.clone().sub(target);
    const up = this.#camera.up.clone().normalize();
    arm.applyAxisAngle(up, around);
    const angle = arm.angleTo(up) + over;
    if (angle > 0.05 && angle < Math.PI - 0.05) arm.applyAxisAngle(up.clone().cross(arm).normalize(), over);
    this.#camera.position.copy(target).add(arm);
    this.#controls.update();
    this.redraw();
  }

  #zoom(factor: number): void {
    const { target } = this.#controls;
    this.#camera.position.sub(target).multiplyScalar(factor).add(target);
    this.#controls.update();
    this.redraw();
  }
}

/** Where buttons and words are there is no machine; in a very low picture there is. */
const roomIn = (height: number): FillLimits => ({
  sides: 0.94,
  top: Math.max(0.6, 1 - (2 * ABOVE) / height),
  bottom: Math.max(0.6, 1 - (2 * BELOW) / height),
});

/** What of the state a mode in the scene depends on. */
const modeOf = ({ modes, phase }: Studio["state"], mode: ModesResult["modes"][number]): ShownMode => ({
  mode,
  q: modes!.result!.q,
  number: modes!.chosen! + 1,
  amplitude: modes!.amplitude,
  phase,
});

function isVisible(object: { visible: boolean; parent: unknown }): boolean {
  let part: { visible: boolean; parent: unknown } | null = object;
  while (part) {
    if (!part.visible) return false;
    part = part.parent as typeof part;
  }
  return true;
}

function nameOf({ userData }: { userData: Record<string, unknown> }): { kind: "body" | "loop"; name: string } | undefined {
  if (typeof userData.body === "string") return { kind: "body", name: userData.body };
  return typeof userData.loop === "string" ? { kind: "loop", name: userData.loop } : undefined;
}
