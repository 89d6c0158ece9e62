/** All panels of the page, in the order of their tabs. */
import { aboutPanel } from "../about/panel.ts";
import { auditPanel } from "../audit/badge.ts";
import { verifyPanel } from "../audit/verify.ts";
import { channelsPanel } from "../plots/channels-panel.ts";
import { plotsPanel } from "../plots/panel.ts";
import { settingsPanel } from "../settings/panel.ts";
import { modesPanel } from "./modes.ts";
import { openFilesPanel } from "./open-files.ts";
import { outlinePanel } from "./outline.ts";
import type { Panel } from "./panel.ts";
import { runStatusPanel } from "./run-status.ts";
import { themePanel } from "./theme.ts";

export const PANELS: readonly Panel[] = [
  outlinePanel,
  channelsPanel,
  plotsPanel,
  modesPanel,
  settingsPanel,
  openFilesPanel,
  runStatusPanel,
  auditPanel,
  verifyPanel,
  aboutPanel,
  themePanel,
];
