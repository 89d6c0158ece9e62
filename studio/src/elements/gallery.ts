/** The gallery: a card with a picture for each built-in scenario. */
import type { Scenario } from "castor/scenario";
import { openFilesButton } from "../files/drop.ts";
import { type BuiltInScenario, builtInSource } from "../files/scenario-sources.ts";
import type { Studio } from "../studio.ts";
import { Thumbnails } from "../view/thumbnails.ts";
import { JobRunner } from "../worker/job-runner.ts";
import { h, replaceContent } from "./dom.ts";

const [WIDTH, HEIGHT] = [520, 300];

export function showGallery(host: HTMLElement, studio: Studio): void {
  const pictures = new CardPictures(studio);
  studio.store.watch(["library"], ({ library }) => {
    const cards = library.map((builtIn) => card(builtIn, pictures));
    replaceContent(
      host,
      h(
        "div",
        { class: "lead" },
        h("h1", { class: "heard" }, "Castor studio: built-in scenarios"),
        h("p", {}, "Choose a scenario, or drop a model, scenario or log file onto the page."),
        openFilesButton(studio, "Open files"),
      ),
      h("ul", { class: "cards" }, ...cards),
    );
  });
  studio.store.watch(["theme", "page", "library"], ({ page }) => {
    if (page === "gallery") pictures.drawAll();
    else pictures.stop();
  });
}

function card(builtIn: BuiltInScenario, pictures: CardPictures): HTMLElement {
  const { name, files } = builtIn;
  const address = `#/scenario/${encodeURIComponent(name)}`;
  const canvas = h("canvas", { width: WIDTH, height: HEIGHT, "aria-hidden": "true" });
  pictures.add(builtIn, canvas);
  const text = files["scenario.yaml"] ?? "";
  const caption = h(
    "span",
    { class: "about" },
    h("b", {}, valueOfKey(text, "name") || name),
    h("span", { class: "sentence" }, valueOfKey(text, "about")),
    h("code", {}, name),
  );
  return h("li", {}, h("a", { class: "card", href: address, "data-scenario": name }, canvas, caption));
}

/** Value of a one-line key such as `about`, without parsing the file. */
const valueOfKey = (text: string, key: string): string =>
  new RegExp(`^${key}:\\s*(.*)$`, "m").exec(text)?.[1]?.replace(/^(['"])(.*)\1$/, "$2") ?? "";

/** Draws the pictures of the cards one by one while the gallery is shown. Between two pictures the page handles other events. */
class CardPictures {
  readonly #studio: Studio;
  readonly #cards = new Map<HTMLCanvasElement, BuiltInScenario>();
  /** Theme of each drawn picture. */
  readonly #drawnThemes = new Map<HTMLCanvasElement, string>();
  readonly #startCoordinates = new Map<string, Float64Array>();
  /** A separate worker, so that a run never waits for pictures. */
  readonly #runner = new JobRunner();
  #pass = 0;

  constructor(studio: Studio) {
    this.#studio = studio;
  }

  add(builtIn: BuiltInScenario, canvas: HTMLCanvasElement): void {
    this.#cards.set(canvas, builtIn);
  }

  stop(): void {
    this.#pass++;
  }

  drawAll(): void {
    const pass = ++this.#pass;
    const isCancelled = (): boolean => pass !== this.#pass;
    this.#draw(isCancelled).catch(() => {}); // without WebGL the cards have no pictures
  }

  async #draw(isCancelled: () => boolean): Promise<void> {
    await idle();
    if (isCancelled() || this.#cards.size === 0) return;
    const thumbnails = new Thumbnails(WIDTH, HEIGHT);
    for (const [canvas, builtIn] of this.#cards) {
      const { theme } = this.#studio.state;
      if (isCancelled()) break;
      if (!canvas.isConnected) this.#cards.delete(canvas);
      if (!canvas.isConnected || this.#drawnThemes.get(canvas) === theme) continue;
      try {
        const source = builtInSource(builtIn);
        const scenario = this.#studio.readScenario(source, []);
        const q = await this.#coordinatesAtStart(builtIn, scenario);
        await idle();
        if (isCancelled()) break;
        await thumbnails.draw(scenario, source, q, theme, canvas);
        this.#drawnThemes.set(canvas, theme);
      } catch {
        // A scenario that cannot be read shows its problems when it is opened.
      }
    }
    thumbnails.dispose();
  }

  /** Coordinates at the start, with closed loops. */
  async #coordinatesAtStart(builtIn: BuiltInScenario, scenario: Scenario): Promise<Float64Array> {
    if (scenario.model.loops.length === 0) return scenario.q;
    const cachedCoordinates = this.#startCoordinates.get(builtIn.name);
    if (cachedCoordinates) return cachedCoordinates;
    const job = { source: builtInSource(builtIn), overrides: [], library: this.#studio.state.library };
    const q = await new Promise<Float64Array>((resolve) => {
      this.#runner.start("assemble", job, (answer) => {
        if (answer.type === "assembled") resolve(answer.q);
        else if (answer.type === "failed") resolve(scenario.q);
      });
    });
    this.#startCoordinates.set(builtIn.name, q);
    return q;
  }
}

const idle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
