/** A format of model files: how it is recognised, read and written. */
import type { ModelDescription } from "../model/description.ts";
import type { ExportedRobot, WrittenRobot } from "./export/exported-robot.ts";
import type { ImportedModel, ImportOptions } from "./robot/imported-model.ts";

export interface ModelFormat {
  readonly name: string;
  /** One sentence for messages and documentation. */
  readonly about: string;
  /** Endings of file names, with the dot: [".urdf"]. */
  readonly extensions: readonly string[];
  /** True if a text is of this format, by its first element or first lines. Default: files are recognised by their endings only. */
  detect?(text: string): boolean;
  /**
   * The description of the model, in SI units; or with the forces, states and warnings of the file.
   * @throws ModelError with the problems of the text; `line` and `column` locate them.
   */
  read(text: string, source: string, options: ImportOptions): ModelDescription | ImportedModel;
  /**
   * The text of a file for a model, and the list of what it does not have. Default: files of this format are only read.
   * @throws ModelError if the motion cannot be expressed
   */
  write?(robot: ExportedRobot, source: string): WrittenRobot;
}
