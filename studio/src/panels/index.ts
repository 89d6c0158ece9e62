/** The panels of the page, in the order of their tabs. */
import { outlinePanel } from "./outline.ts";
import type { Panel } from "./panel.ts";
import { runStatusPanel } from "./run-status.ts";
import { themePanel } from "./theme.ts";

export const PANELS: readonly Panel[] = [outlinePanel, runStatusPanel, themePanel];
