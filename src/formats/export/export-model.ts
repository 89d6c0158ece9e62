/** Writes a model as a robot file. */
import { checkMembers, checkText, didYouMean } from "../../arguments.ts";
import { ArgumentError, valueText } from "../../errors.ts";
import { checkModel } from "../../model/model.ts";
import { formatNamed, writableFormats } from "../model-formats.ts";
import type { ExportedRobot, WrittenRobot } from "./exported-robot.ts";

/**
 * The text of a URDF or MJCF file (or of another registered format that can be written), and what of the model it does not have.
 * @throws ModelError if the format cannot express the motion of the tree
 */
export function exportModel(robot: ExportedRobot, format: string): WrittenRobot {
  checkMembers(
    "robot",
    robot,
    ["model"],
    "an object with model and, if wanted, forces, limits, states, contactShapes, noContact",
  );
  checkModel(robot.model);
  checkText("format", format, "the name of a file format: urdf or mjcf");
  const write = formatNamed(format)?.write;
  if (write === undefined)
    throw new ArgumentError(
      "format",
      `no format of this name can be written, got ${valueText(format)}. ${didYouMean(format, writableFormats())}`,
    );
  return write(robot, robot.model.name);
}
