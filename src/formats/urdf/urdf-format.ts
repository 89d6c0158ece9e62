/** The file format URDF. */
import type { ModelFormat } from "../model-format.ts";
import { rootElementName } from "../xml/root-element.ts";
import { readUrdf } from "./read-urdf.ts";
import { writeUrdf } from "./write-urdf.ts";

export const urdfFormat: ModelFormat = {
  name: "urdf",
  about: "URDF, the robot description of ROS.",
  extensions: [".urdf", ".xacro"],
  detect: (text) => rootElementName(text) === "robot",
  read: readUrdf,
  write: writeUrdf,
};
