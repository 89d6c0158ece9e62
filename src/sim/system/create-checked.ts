/** Creates a force element or a controller from written parameters, or collects all problems of these. */

import { readName } from "../../declare/names.ts";
import type { Parameters, ParameterValues } from "../../declare/parameters.ts";
import { type ParseContext, readParameters } from "../../declare/parse-parameters.ts";
import { childPath } from "../../declare/plain-data.ts";
import { ModelError, type Problem, valueText } from "../../errors.ts";
import { knownNames } from "../../model/freedoms.ts";
import type { Model } from "../../model/model.ts";

/** Reports a problem between parameters that are each valid by themselves. Inside lists the parameter is a path: `tasks[0].repeat`. */
export type NoteProblem = (parameter: string, message: string, advice?: string) => void;

/** Reads the parameters and calls `make` with them. @throws ModelError with every problem. */
export function createChecked<D extends Parameters, T>(
  declared: D,
  name: string,
  written: unknown,
  model: Model,
  reading: ParseContext,
  make: (values: ParameterValues<D>, note: NoteProblem) => T,
): T {
  const problems: Problem[] = [];
  const path = reading.path ?? (typeof name === "string" ? name : "");
  readName(name, "name", problems);
  const values = readParameters(declared, written, knownNames(model), problems, { ...reading, path });
  const fields = written as Readonly<Record<string, unknown>>;
  const note: NoteProblem = (parameter, message, advice) => {
    const value = fields[parameter];
    const inList = parameter.includes("[");
    problems.push({
      path: inList ? `${path}.${parameter}` : childPath(path, parameter),
      message,
      ...(value !== undefined && { value: valueText(value) }),
      ...(advice !== undefined && { advice }),
    });
  };
  const result = values && make(values, note);
  if (result === undefined || problems.length > 0) throw new ModelError(model.name, problems);
  return result;
}
