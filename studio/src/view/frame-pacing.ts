/**
 * Decides when the scene is drawn: with the next frame after an action of the user, later if only a run has more samples. Without a graphics
 * card, drawing takes all processors for a tenth of a second or longer, and the run waits.
 */

/** While a run grows, drawing takes at most 1/SHARE of the time. */
const SHARE = 10;
/** Longest time between two drawings, ms. */
const MAX_DELAY = 1000;
/** Time between the first checks whether a drawing is done, ms. Later checks are less frequent, because each waits for the graphics card. */
const POLL_PERIOD = 5;
const POLL_GROWTH = 1.3;

export class FramePacing {
  readonly #draw: () => void;
  #isRequested = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Duration of the last drawing, ms, including the computations of the layers. */
  #lastDuration = 0;

  readonly #noteDuration: (duration: number) => void;

  /** @param noteDuration called with the duration of each drawing, ms */
  constructor(draw: () => void, noteDuration: (duration: number) => void) {
    this.#draw = draw;
    this.#noteDuration = noteDuration;
  }

  /** Draws with the next frame. */
  soon = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isRequested) return;
    this.#isRequested = true;
    requestAnimationFrame(() => {
      this.#isRequested = false;
      this.#draw();
    });
  };

  /** Draws later, after the run has had its share of the time. */
  later = (): void => {
    if (this.#isRequested) return;
    this.#timer ??= setTimeout(this.soon, Math.min(MAX_DELAY, (SHARE - 1) * this.#lastDuration));
  };

  /** Measures the duration of a drawing that began at time `began`, ms. WebGL commands return before they are done, so a fence is polled. */
  measure(gl: WebGL2RenderingContext, began: number): void {
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (fence === null) return;
    gl.flush();
    let period = POLL_PERIOD;
    const poll = (): void => {
      if (gl.isContextLost()) return;
      if (gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) {
        setTimeout(poll, period);
        period *= POLL_GROWTH;
        return;
      }
      gl.deleteSync(fence);
      this.#lastDuration = performance.now() - began;
      this.#noteDuration(this.#lastDuration);
    };
    setTimeout(poll);
  }
}
