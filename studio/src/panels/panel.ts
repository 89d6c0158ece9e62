/** A panel: a part of the page with a place of its own. A new one is one file and one line in index.ts. */
import type { StudioState } from "../state/state.ts";
import type { Studio } from "../studio.ts";

/** Where a panel may be: see layout.ts. Of several panels in a region one is shown, by its tab; those of "bar" stand side by side. */
export type Region = "bar" | "left" | "right" | "bottom";

export interface Panel {
  readonly id: string;
  readonly title: string;
  readonly region: Region;
  /** Fills the element. It is shown and hidden by the layout; what has a size must watch for changes of it. */
  mount(host: HTMLElement, studio: Studio): void;
  /** Of a panel that changes what the page shows: its tab opens it, another tab closes it, and its part of the state says which. */
  readonly opening?: {
    readonly key: keyof StudioState;
    open(studio: Studio): void;
    close(studio: Studio): void;
  };
}
