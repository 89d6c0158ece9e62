/** Held inputs that the caller of a simulation sets. */
import { checkVector } from "../../arguments.ts";
import { setInputs } from "../system/start-state.ts";

/** Held inputs by name, or all of them in order. */
export type CallerInputs = Readonly<Record<string, number>> | readonly number[] | Float64Array;

/** Writes the inputs of the caller into `held`. @throws ArgumentError if they do not fit */
export function writeCallerInputs(held: Float64Array, inputs: CallerInputs, indices: ReadonlyMap<string, number>): void {
  if (Array.isArray(inputs) || inputs instanceof Float64Array) {
    checkVector("options.inputs", inputs, held.length, "in the order of system.inputs");
    held.set(inputs as ArrayLike<number>);
  } else setInputs(held, indices, inputs as Readonly<Record<string, number>>, "options.inputs");
}
