/** The menu that saves pictures, videos and 3D files of the scene. */
import { type ReplayData, replayPage } from "castor/report";
import { h, replaceContent } from "../elements/dom.ts";
import { menuButton } from "../elements/menu.ts";
import { download, fileName } from "../files/download.ts";
import { StudioError } from "../state/studio-error.ts";
import type { Studio } from "../studio.ts";
import type { SceneView } from "../view/scene-view.ts";
import { runReplay } from "./run-page.ts";
import { largestPicture, SceneCamera } from "./scene-camera.ts";
import { sceneVideo } from "./scene-video.ts";

const SIZES = [1, 2, 3, 4] as const;
/** Largest size of a video, px. */
const MAX_VIDEO = { width: 1920, height: 1080 };

export function sceneMenu(studio: Studio, view: SceneView, host: HTMLElement): HTMLElement {
  const tasks = new ExportTasks(host);
  const size = (): readonly [number, number] => [view.canvas.clientWidth, view.canvas.clientHeight];
  const name = (...parts: readonly string[]): string => fileName(studio.state.source?.name ?? "castor", ...parts);
  /** The zoomed time of the plots, or the whole run. */
  const range = (): readonly [number, number] => {
    const [from, to] = studio.state.zoom ?? [studio.startTime(), studio.endTime()];
    return [Math.max(from, studio.startTime()), Math.min(to, studio.endTime())];
  };
  const picture = (scale: number) => async (): Promise<void> => {
    const [width, height] = size();
    const fit = Math.min(1, largestPicture() / (scale * Math.max(width, height)));
    const [w, h2] = [Math.round(width * scale * fit), Math.round(height * scale * fit)];
    const camera = new SceneCamera(view, studio, w, h2, scale * fit);
    try {
      const blob = await new Promise<Blob | null>((done) => camera.take().toBlob(done, "image/png"));
      if (!blob) throw new StudioError(`the browser cannot make a picture of ${w} by ${h2} pixels. Choose a smaller one`);
      download(`${name(`${studio.state.time.toPrecision(4)}s`)}.png`, blob);
    } finally {
      camera.dispose();
    }
  };
  const video = async (progress: (part: number) => void, signal: AbortSignal): Promise<void> => {
    const [width, height] = size();
    const fit = Math.min(1, MAX_VIDEO.width / width, MAX_VIDEO.height / height);
    const even = (x: number): number => 2 * Math.max(1, Math.round((x * fit) / 2)); // the encoders need even sizes
    const options = { range: range(), width: even(width), height: even(height), progress, signal };
    download(`${name()}.webm`, await sceneVideo(view, studio, options));
  };
  const glb = async (): Promise<void> => {
    const model = view.model;
    if (!model) throw new StudioError("there is no machine in the scene");
    const { keyTimes, sceneGlb } = await import("./scene-glb.ts");
    download(`${name()}.glb`, await sceneGlb(model, keyTimes(range(), studio.playbackSpeed())));
  };
  const page = async (): Promise<void> => {
    const data = await replay();
    download(`${name()}.html`, replayPage(data), "text/html;charset=utf-8");
  };
  const viewData = async (): Promise<void> =>
    download(`${name()}.castor-view.json`, JSON.stringify(await replay()), "application/json");
  const replay = (): Promise<ReplayData> => {
    if (!view.model) throw new StudioError("there is no machine in the scene");
    return runReplay(studio, view.model, range());
  };
  return menuButton(
    "camera",
    "Export: save a picture, a video or a 3D file",
    [
      { text: "Video of the run (WebM)", action: () => tasks.start("video", video) },
      ...SIZES.map((scale) => ({
        text: scale === 1 ? "Picture (PNG)" : `Picture, ${scale} times as large (PNG)`,
        action: () => tasks.start("picture", picture(scale)),
      })),
      { text: "3D file with the motion (GLB)", action: () => tasks.start("3D file", glb) },
      { text: "Page that plays offline (HTML)", action: () => tasks.start("page", page) },
      { text: "Data for <castor-view> (JSON)", action: () => tasks.start("data", viewData) },
    ],
    "Export",
  );
}

/** Runs one export at a time and shows its progress, with a button that ends it. */
class ExportTasks {
  readonly #note = h("p", { class: "export-note", role: "status", hidden: true });
  #abort: AbortController | undefined;

  constructor(host: HTMLElement) {
    host.append(this.#note);
  }

  start(what: string, task: (progress: (part: number) => void, signal: AbortSignal) => Promise<void>): void {
    if (this.#abort) return; // the note shows the export that is going on
    const abort = new AbortController();
    this.#abort = abort;
    const text = h("span", {}, `Making the ${what}`);
    const cancel = h("button", { type: "button", class: "plain", onclick: () => abort.abort() }, "Cancel");
    replaceContent(this.#note, text, cancel);
    this.#note.hidden = false;
    const progress = (part: number): void => {
      text.textContent = `Making the ${what}: ${Math.floor(100 * part)} %`;
    };
    task(progress, abort.signal)
      .then(() => this.#end())
      .catch((error: Error) => this.#end(abort.signal.aborted ? undefined : `The ${what} was not made: ${error.message}.`));
  }

  #end(problem?: string): void {
    this.#abort = undefined;
    this.#note.hidden = problem === undefined;
    if (problem === undefined) return;
    const close = (): void => {
      this.#note.hidden = true;
    };
    replaceContent(this.#note, h("span", {}, problem), h("button", { type: "button", class: "plain", onclick: close }, "Close"));
  }
}
