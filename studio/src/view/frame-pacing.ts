/**
 * When the scene is drawn: with the next frame where somebody has turned it or moved the time; later where only a run has grown. Where there
 * is no graphics card a drawing takes all processors, a tenth of a second and longer, and the run waits for it.
 */

/** While a run grows, drawings take one part in so many of the time. */
const SHARE = 10;
/** But are not further apart, ms. */
const LONGEST = 1000;
/** Between looks whether a drawing is done, ms. */
const LOOK = 5;

export class FramePacing {
  readonly #draw: () => void;
  #asked = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** How long the last drawing took until it was there, ms, with what the layers computed for it. */
  #cost = 0;

  constructor(draw: () => void) {
    this.#draw = draw;
  }

  /** With the next frame of the screen. */
  soon = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame(() => {
      this.#asked = false;
      this.#draw();
    });
  };

  /** When the run has had its time. */
  later = (): void => {
    if (this.#asked) return;
    this.#timer ??= setTimeout(this.soon, Math.min(LONGEST, (SHARE - 1) * this.#cost));
  };

  /** Finds out how long it takes until what was begun at a time is drawn: commands return before they are done. */
  measure(gl: WebGL2RenderingContext, began: number): void {
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (fence === null) return;
    gl.flush();
    const look = (): void => {
      if (gl.isContextLost()) return;
      if (gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) return void setTimeout(look, LOOK);
      gl.deleteSync(fence);
      this.#cost = performance.now() - began;
    };
    setTimeout(look);
  }
}
