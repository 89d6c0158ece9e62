/** A panel is a part of the page. A new panel is one file and one line in index.ts. */
import type { StudioState } from "../state/state.ts";
import type { Studio } from "../studio.ts";

/** Region of the page, see layout.ts. A region with several panels shows one of them, chosen by its tab. Panels in "bar" are side by side. */
export type Region = "bar" | "left" | "right" | "bottom";

export interface Panel {
  readonly id: string;
  readonly title: string;
  readonly region: Region;
  /** Creates the content. The layout shows and hides `host`; content that depends on its size must observe it. */
  mount(host: HTMLElement, studio: Studio): void;
  /** For a panel with state of its own: its tab calls `open`, another tab calls `close`, and `key` is set in the state while it is open. */
  readonly opening?: {
    readonly key: keyof StudioState;
    open(studio: Studio): void;
    close(studio: Studio): void;
  };
}
