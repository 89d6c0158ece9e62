/** The gallery: a card with a picture for each built-in scenario. */
import type { Scenario } from "castor";
import { openFilesButton } from "../files/drop.ts";
import { type BuiltInScenario, builtInSource } from "../files/scenario-sources.ts";
import type { Studio } from "../studio.ts";
import { Thumbnails } from "../view/thumbnails.ts";
import { JobRunner } from "../worker/job-runner.ts";
import { h, replaceContent } from "./dom.ts";

const [WIDTH, HEIGHT] = [520, 300];

export function showGallery(host: HTMLElement, studio: Studio): void {
  const pictures = new Pictures(studio);
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

function card(builtIn: BuiltInScenario, pictures: Pictures): HTMLElement {
  const { name, files } = builtIn;
  const address = `#/scenario/${encodeURIComponent(name)}`;
  const canvas = h("canvas", { width: WIDTH, height: HEIGHT, "aria-hidden": "true" });
  pictures.add(builtIn, canvas);
  const text = files["scenario.yaml"] ?? "";
  const words = h(
    "span",
    { class: "about" },
    h("b", {}, lineOf(text, "name") || name),
    h("span", { class: "sentence" }, lineOf(text, "about")),
    h("code", {}, name),
  );
  return h("li", {}, h("a", { class: "card", href: address, "data-scenario": name }, canvas, words));
}

/** Value of a one-line key such as `about`, without parsing the file. */
const lineOf = (text: string, key: string): string =>
  new RegExp(`^${key}:\\s*(.*)$`, "m").exec(text)?.[1]?.replace(/^(['"])(.*)\1$/, "$2") ?? "";

/** Draws the pictures of the cards one by one while the gallery is shown. Between two pictures the page handles other events. */
class Pictures {
  readonly #studio: Studio;
  readonly #wanted = new Map<HTMLCanvasElement, BuiltInScenario>();
  /** Theme of each drawn picture. */
  readonly #drawn = new Map<HTMLCanvasElement, string>();
  readonly #starts = new Map<string, Float64Array>();
  /** A separate worker, so that a run never waits for pictures. */
  readonly #runner = new JobRunner();
  #round = 0;

  constructor(studio: Studio) {
    this.#studio = studio;
  }

  add(builtIn: BuiltInScenario, canvas: HTMLCanvasElement): void {
    this.#wanted.set(canvas, builtIn);
  }

  stop(): void {
    this.#round++;
  }

  drawAll(): void {
    const round = ++this.#round;
    const isOver = (): boolean => round !== this.#round;
    this.#draw(isOver).catch(() => {}); // without WebGL the cards have no pictures
  }

  async #draw(isOver: () => boolean): Promise<void> {
    await idle();
    if (isOver() || this.#wanted.size === 0) return;
    const thumbnails = new Thumbnails(WIDTH, HEIGHT);
    for (const [canvas, builtIn] of this.#wanted) {
      const { theme } = this.#studio.state;
      if (isOver()) break;
      if (!canvas.isConnected) this.#wanted.delete(canvas);
      if (!canvas.isConnected || this.#drawn.get(canvas) === theme) continue;
      try {
        const source = builtInSource(builtIn);
        const scenario = this.#studio.readScenario(source, []);
        const q = await this.#start(builtIn, scenario);
        await idle();
        if (isOver()) break;
        await thumbnails.draw(scenario, source, q, theme, canvas);
        this.#drawn.set(canvas, theme);
      } catch {
        // A scenario that cannot be read shows its problems when it is opened.
      }
    }
    thumbnails.dispose();
  }

  /** Coordinates at the start, with closed loops. */
  async #start(builtIn: BuiltInScenario, scenario: Scenario): Promise<Float64Array> {
    if (scenario.model.loops.length === 0) return scenario.q;
    const known = this.#starts.get(builtIn.name);
    if (known) return known;
    const job = { source: builtInSource(builtIn), overrides: [], library: this.#studio.state.library };
    const q = await new Promise<Float64Array>((resolve) => {
      this.#runner.start("assemble", job, (answer) => {
        if (answer.type === "assembled") resolve(answer.q);
        else if (answer.type === "failed") resolve(scenario.q);
      });
    });
    this.#starts.set(builtIn.name, q);
    return q;
  }
}

const idle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
