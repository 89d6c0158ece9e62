/** What the scene shows, as text and as a mode with its amplitude. */
import type { Studio } from "../studio.ts";
import type { ModesResult } from "../worker/protocol.ts";
import type { SceneFrame } from "./layer.ts";
import type { ShownMode } from "./motion/mode-motion.ts";

/** Text for screen readers. */
export function sceneDescription(name: string, { mode, t }: SceneFrame): string {
  const moment = mode ? `: ${mode.caption}` : ` at ${Number(t.toPrecision(4))} s`;
  return `${name}${moment}. Keys: W, A, S, D rotate the view, + and - zoom, F fits the machine into the view, 1 to 7 are standard views`;
}

/** A time with the decimals that distinguish the frames of a video. */
export const timeText = (t: number, duration: number): string =>
  t.toFixed(duration > 0 ? Math.min(9, Math.max(0, 2 - Math.floor(Math.log10(duration / 5)))) : 2);

/** The mode as the scene shows it, with its amplitude and phase. */
export const modeInScene = ({ modes, phase }: Studio["state"], mode: ModesResult["modes"][number]): ShownMode => ({
  mode,
  q: modes!.result!.q,
  number: modes!.chosen! + 1,
  amplitude: modes!.amplitude,
  phase,
});
