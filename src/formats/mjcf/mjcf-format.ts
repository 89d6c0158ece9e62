/** The file format MJCF. */
import type { ModelFormat } from "../model-format.ts";
import { rootElementName } from "../xml/root-element.ts";
import { readMjcf } from "./read-mjcf.ts";
import { writeMjcf } from "./write/write-mjcf.ts";

export const mjcfFormat: ModelFormat = {
  name: "mjcf",
  about: "MJCF, the model format of MuJoCo.",
  extensions: [".mjcf", ".xml"],
  detect: (text) => rootElementName(text) === "mujoco",
  read: readMjcf,
  write: writeMjcf,
};
