/** Names of bodies, hinges, frames and loops: which names are allowed, and which known name is nearest to a mistyped one. */
import { didYouMean } from "../arguments.ts";
import { type Problem, valueText } from "../errors.ts";

export { didYouMean, nearestNames } from "../arguments.ts";

const MAX_NAME_LENGTH = 100;
/** "world" is the inertial frame and "gravity.x" is a parameter; the others are built-in properties of JavaScript objects. */
const RESERVED: readonly string[] = ["world", "gravity", "__proto__", "constructor", "prototype"];
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
const SEPARATOR = /[./[\]]/;

/** The title of a model: any short text on one line. */
export function readTitle(value: unknown, path: string, problems: Problem[]): string {
  const problem = textProblem(value);
  if (problem === undefined) return value as string;
  problems.push({ path, ...problem, ...(value !== undefined && { value: valueText(value) }) });
  return "";
}

/** The name of a body, a hinge, a frame or a loop. It becomes part of paths, channel names and keys. Returns "" after a problem. */
export function readName(value: unknown, path: string, problems: Problem[]): string {
  const problem = textProblem(value) ?? nameProblem(value as string);
  if (problem === undefined) return value as string;
  problems.push({ path, ...problem, ...(value !== undefined && { value: valueText(value) }) });
  return "";
}

function textProblem(value: unknown): Pick<Problem, "message" | "advice"> | undefined {
  if (value === undefined) return { message: "the name is missing" };
  if (typeof value !== "string") return { message: "a name must be text", advice: "Put it in quotes" };
  if (value === "") return { message: "a name must not be empty" };
  if (value.length > MAX_NAME_LENGTH)
    return { message: `a name must have at most ${MAX_NAME_LENGTH} characters, this has ${value.length}` };
  if (CONTROL.test(value)) return { message: "a name must not contain control characters or line ends" };
  return undefined;
}

function nameProblem(name: string): Pick<Problem, "message" | "advice"> | undefined {
  if (SEPARATOR.test(name))
    return { message: "a name must not contain any of . / [ ]", advice: "They separate the parts of a path; use - or _" };
  if (RESERVED.includes(name)) return { message: `"${name}" is reserved`, advice: "Choose another name" };
  return undefined;
}

/**
 * Records the path where a name is used. If the name was used before, adds a problem and returns false. The name "" has been reported
 * already.
 */
export function claimName(usedNames: Map<string, string>, name: string, path: string, problems: Problem[]): boolean {
  const firstPath = usedNames.get(name);
  if (name === "") return true;
  if (firstPath === undefined) usedNames.set(name, path);
  else
    problems.push({ path, message: "the name is taken", value: valueText(name), advice: `It is already used at ${firstPath}` });
  return firstPath === undefined;
}

/** The search for the nearest name takes time, so it stops after this many problems. */
const MAX_PROBLEMS_WITH_SUGGESTION = 20;

/** Advice of `didYouMean` for a name, unless there are many problems already. */
export const nameAdvice = (name: unknown, known: Iterable<string>, problems: readonly Problem[]): { advice?: string } =>
  typeof name === "string" && problems.length < MAX_PROBLEMS_WITH_SUGGESTION ? { advice: didYouMean(name, known) } : {};
