/**
 * The picture of a card. It ships with the page: `pictures/NAME.webp`, and `pictures/NAME-motion.webp` with moments of the run below each
 * other (`npm run tool -- gallery-pictures`). A scenario without a picture is drawn here, if the browser can.
 */
import { h } from "../elements/dom.ts";
import { builtInData } from "../files/built-in-data.ts";
import { type BuiltInScenario, builtInSource } from "../files/scenario-sources.ts";
import type { Studio } from "../studio.ts";
import type { Thumbnails } from "../view/thumbnails.ts";
import { JobRunner } from "../worker/job-runner.ts";

/** Size of a picture, px. */
export const [WIDTH, HEIGHT] = [520, 300];
/** Size of the picture at the top of the gallery, px. The machine is right of its middle. */
export const [HERO_WIDTH, HERO_HEIGHT] = [1600, 500];
/** Number of moments in a motion picture, and time of each on the screen, ms. */
export const MOMENTS = 12;
const MOMENT_TIME = 160;

/** Address of a picture of a scenario. Undefined if the page has none. */
export const pictureAddress = (name: string, suffix = ""): string | undefined =>
  builtInData().pictures.includes(`${name}${suffix}.webp`) ? `pictures/${encodeURIComponent(name)}${suffix}.webp` : undefined;

/** True if the browser can draw scenes. */
export function hasWebGl(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return gl !== null;
}

export class CardPicture {
  readonly element: HTMLElement;
  readonly #builtIn: BuiltInScenario;
  readonly #motion = h("span", { class: "motion", "aria-hidden": "true", hidden: true });
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(builtIn: BuiltInScenario, studio: Studio) {
    this.#builtIn = builtIn;
    const src = pictureAddress(builtIn.name);
    const shape = { width: WIDTH, height: HEIGHT };
    if (src === undefined) {
      const canvas = h("canvas", { ...shape, "aria-hidden": "true" });
      this.element = h("span", { class: "picture" }, canvas);
      void drawLater(builtIn, studio, canvas);
    } else
      this.element = h(
        "span",
        { class: "picture" },
        h("img", { ...shape, alt: "", decoding: "async", loading: "lazy", src }),
        this.#motion,
      );
  }

  /** Shows the motion while the pointer or the focus is on the element. */
  moveOn(element: HTMLElement): void {
    for (const event of ["pointerenter", "focus"]) element.addEventListener(event, () => this.#start());
    for (const event of ["pointerleave", "blur"]) element.addEventListener(event, () => this.#stop());
  }

  #start(): void {
    const address = pictureAddress(this.#builtIn.name, "-motion");
    if (address === undefined || this.#timer !== undefined || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const strip = new Image();
    strip.onload = () => {
      if (this.#timer === undefined) return;
      this.#motion.style.backgroundImage = `url("${strip.src}")`;
      this.#motion.hidden = false;
    };
    strip.src = address;
    let moment = 0;
    const show = (): void => {
      this.#motion.style.backgroundPositionY = `${(100 * (moment++ % MOMENTS)) / (MOMENTS - 1)}%`;
    };
    show();
    this.#timer = setInterval(show, MOMENT_TIME);
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#motion.hidden = true;
  }
}

let queue: Promise<void> = Promise.resolve();
let tools: { readonly thumbnails: Thumbnails; readonly runner: JobRunner } | undefined;

/** Draws a scenario at its start, one after the other. */
function drawLater(builtIn: BuiltInScenario, studio: Studio, canvas: HTMLCanvasElement): Promise<void> {
  queue = queue.then(async () => {
    if (studio.state.page !== "gallery")
      await new Promise<void>((resolve) => studio.store.watch(["page"], ({ page }) => page === "gallery" && resolve()));
    try {
      const module = await import("../view/thumbnails.ts");
      tools ??= { thumbnails: new module.Thumbnails(WIDTH, HEIGHT), runner: new JobRunner() };
      const source = builtInSource(builtIn);
      const scenario = studio.readScenario(source, []);
      const job = { source, overrides: [], library: studio.state.library };
      const { runner, thumbnails } = tools;
      const q = await new Promise<Float64Array>((resolve) => {
        if (scenario.model.loops.length === 0) resolve(scenario.q);
        else runner.start("assemble", job, (answer) => resolve(answer.type === "assembled" ? answer.q : scenario.q));
      });
      await thumbnails.draw(scenario, source, q, studio.state.theme, canvas);
    } catch {
      // Without WebGL the card has no picture. A scenario that cannot be read shows its problems when it is opened.
    }
  });
  return queue;
}
