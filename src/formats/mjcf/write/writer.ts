/** What the parts of the MJCF writer share. */
import type { Body } from "../../../model/model.ts";
import type { ContactSolid } from "../../export/contact-solids.ts";
import type { ExportLink } from "../../export/export-links.ts";
import type { ExportNotes } from "../../export/export-notes.ts";
import type { ExportedRobot } from "../../export/exported-robot.ts";
import type { FreedomEffects } from "../../export/joint-effects.ts";
import type { Namer } from "../../robot/safe-names.ts";
import type { XmlNode } from "../../xml/write-xml.ts";
import type { MeshAsset } from "./shapes.ts";

export interface MjcfWriter {
  readonly robot: ExportedRobot;
  readonly links: readonly ExportLink[];
  readonly effects: readonly FreedomEffects[];
  readonly solids: ReadonlyMap<string, readonly ContactSolid[]>;
  readonly names: { readonly links: Namer; readonly joints: Namer; readonly sites: Namer };
  readonly notes: ExportNotes;
  /** Meshes by their path in the model; filled while bodies are written. */
  readonly meshes: Map<string, MeshAsset>;
  /** Sites by the index of their body, -1 for the world. */
  readonly sites: ReadonlyMap<number, readonly XmlNode[]>;
  /** Constraints between the turn and the slide of screws; filled while bodies are written. */
  readonly screws: XmlNode[];
}

/** MJCF has free joints for bodies on the world only. */
export const isFreeJoint = ({ hinge, parent }: Pick<Body, "hinge" | "parent">): boolean => hinge.kind === "free" && parent < 0;
