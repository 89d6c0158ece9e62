/**
 * Makes a video of a time range of the run. Every frame is drawn and encoded in turn, so the motion is exact, however slow the drawing is.
 */

import { StudioError } from "../state/studio-error.ts";
import type { Studio } from "../studio.ts";
import type { SceneView } from "../view/scene-view.ts";
import { SceneCamera } from "./scene-camera.ts";
import { type VideoFrameData, type VideoTrack, webmFile } from "./webm-file.ts";

export const FRAMES_PER_SECOND = 30;
/** Time between two key frames, frames. */
const KEY_PERIOD = 60;
/** Most frames of a video: ten minutes. */
const MAX_FRAMES = 600 * FRAMES_PER_SECOND;
/** Frames that wait for the encoder. More would only take memory. */
const MAX_QUEUE = 4;
/** Bits per pixel and frame. Scenes have sharp edges and flat areas. */
const BITS_PER_PIXEL = 0.25;

const CODECS = [
  { codec: "vp09.00.40.08", name: "V_VP9" },
  { codec: "vp8", name: "V_VP8" },
] as const;

export interface VideoOptions {
  /** First and last time of the video, s. */
  readonly range: readonly [number, number];
  readonly width: number;
  readonly height: number;
  /** Called with the part that is done, 0 to 1. */
  progress(part: number): void;
  readonly signal: AbortSignal;
}

/** Times of the frames, s: as playback shows them, with the last frame at the end of the range. */
export function frameTimes([from, to]: readonly [number, number], speed: number): Float64Array {
  const count = Math.max(2, Math.round(((to - from) / speed) * FRAMES_PER_SECOND) + 1);
  if (count > MAX_FRAMES)
    throw new StudioError(
      `the video would have ${count} pictures, at most ${MAX_FRAMES} are made. Choose a higher playback speed, or zoom the plots to a shorter time`,
    );
  return Float64Array.from({ length: count }, (_, k) => from + ((to - from) * k) / (count - 1));
}

/** @throws if the browser cannot encode video, or the signal ends it. */
export async function sceneVideo(view: SceneView, studio: Studio, options: VideoOptions): Promise<Blob> {
  const { width, height, signal } = options;
  const times = frameTimes(options.range, studio.playbackSpeed());
  const { config, name } = await encoderFor(width, height);
  const frames: VideoFrameData[] = [];
  let failure: Error | undefined;
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      frames.push({ data, time: Math.round(chunk.timestamp / 1000), isKey: chunk.type === "key" });
    },
    error: (error) => {
      failure = error;
    },
  });
  encoder.configure(config);
  const camera = new SceneCamera(view, studio, width, height, 1);
  const { time, playing } = studio.state;
  studio.store.set({ playing: false });
  try {
    for (const [k, t] of times.entries()) {
      signal.throwIfAborted();
      studio.seek(t);
      const timestamp = Math.round((1e6 * k) / FRAMES_PER_SECOND);
      const frame = new VideoFrame(camera.take(), { timestamp });
      encoder.encode(frame, { keyFrame: k % KEY_PERIOD === 0 });
      frame.close();
      options.progress(k / times.length);
      do
        await new Promise((resume) => setTimeout(resume)); // the page stays usable, and the encoder catches up
      while (encoder.encodeQueueSize > MAX_QUEUE && failure === undefined);
      if (failure) throw failure;
    }
    await encoder.flush();
    if (failure) throw failure;
    if (frames.length !== times.length)
      throw new StudioError(`the encoder of this browser left out ${times.length - frames.length} of ${times.length} pictures`);
  } finally {
    if (encoder.state !== "closed") encoder.close();
    camera.dispose();
    studio.seek(time);
    studio.store.set({ playing });
  }
  const track: VideoTrack = {
    codec: name,
    width,
    height,
    duration: (1000 * times.length) / FRAMES_PER_SECOND,
    title: studio.state.scenario?.name ?? "Castor",
  };
  return new Blob([webmFile(track, frames)], { type: "video/webm" });
}

async function encoderFor(width: number, height: number): Promise<{ config: VideoEncoderConfig; name: VideoTrack["codec"] }> {
  if (typeof VideoEncoder === "undefined")
    throw new StudioError(
      "this browser cannot encode video. Use a current Chromium, Chrome, Edge or Firefox, over https or from this computer",
    );
  const bitrate = Math.round(BITS_PER_PIXEL * width * height * FRAMES_PER_SECOND);
  for (const { codec, name } of CODECS) {
    // In the mode "realtime" encoders leave out frames to keep the bit rate.
    const config: VideoEncoderConfig = { codec, width, height, bitrate, framerate: FRAMES_PER_SECOND, latencyMode: "quality" };
    const { supported } = await VideoEncoder.isConfigSupported(config).catch(() => ({ supported: false }));
    if (supported) return { config, name };
  }
  throw new StudioError(
    `this browser encodes neither VP9 nor VP8 video of ${width} by ${height} pixels. Make the window smaller`,
  );
}
