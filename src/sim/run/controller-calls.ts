/** Calls of controllers whose errors name the controller and the time. */
import { ArgumentError, AuditError } from "../../errors.ts";
import type { Model } from "../../model/model.ts";
import type { Snapshot } from "../system/force-element.ts";
import type { Controller } from "./controller.ts";

/** The memory of a controller at the start. @throws ArgumentError with the name of the controller */
export function startController(controller: Controller, model: Model, s: Snapshot): unknown {
  try {
    return controller.start(model, s);
  } catch (error) {
    throw namedError(controller, s.t, error);
  }
}

/**
 * Writes the commands of a controller and returns its memory. @throws ArgumentError with the name of the controller; AuditError if a sampled
 * controller commands a number that is not finite. (A continuous law may do so at a trial stage, which is then rejected.)
 */
export function updateController(controller: Controller, s: Snapshot, memory: unknown, command: Float64Array): unknown {
  let next: unknown;
  try {
    next = controller.update(s, memory, command);
  } catch (error) {
    throw namedError(controller, s.t, error);
  }
  if (controller.period > 0)
    for (let k = 0; k < command.length; k++)
      if (!Number.isFinite(command[k]!))
        throw new AuditError(
          `controller "${controller.name}" commands ${command[k]} for ${controller.commands[k]} at t = ${s.t} s. Look at its gains, its references and the state there`,
        );
  return next;
}

/** An ArgumentError of a function that a controller has called does not know which controller it was. Other errors do. */
function namedError({ name }: Controller, t: number, error: unknown): unknown {
  if (!(error instanceof ArgumentError)) return error;
  return new ArgumentError(error.argument, `${error.reason} (in controller "${name}" at t = ${t} s)`, { cause: error });
}
