/** The built-in scenarios, each a card with a picture that opens it. */
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
        h("h1", { class: "heard" }, "Scenarios of the Castor studio"),
        h("p", {}, "Choose a machine, or drop a model, a scenario or a log onto the page."),
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

/** A line of the file, such as `about`, without reading the rest of it. */
const lineOf = (text: string, key: string): string =>
  new RegExp(`^${key}:\\s*(.*)$`, "m").exec(text)?.[1]?.replace(/^(['"])(.*)\1$/, "$2") ?? "";

/** Pictures come one by one while the gallery is shown, and give way to everything else. */
class Pictures {
  readonly #studio: Studio;
  readonly #wanted = new Map<HTMLCanvasElement, BuiltInScenario>();
  /** The theme that each picture was drawn for. */
  readonly #drawn = new Map<HTMLCanvasElement, string>();
  readonly #starts = new Map<string, Float64Array>();
  /** A worker of their own: a run never waits for pictures. */
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
    this.#draw(isOver).catch(() => {}); // without WebGL there are no pictures; the cards work
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
        // One that cannot be read says so when it is opened.
      }
    }
    thumbnails.dispose();
  }

  /** The coordinates at the start, loops closed. */
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
