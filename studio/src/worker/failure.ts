/** Converts errors to plain data, which a worker can send to the page, and back. */
import { CastorError, ModelError } from "castor";
import { StudioError } from "../state/studio-error.ts";
import type { WorkerFailure } from "./protocol.ts";

export function toWorkerFailure(error: unknown): WorkerFailure {
  if (error instanceof ModelError) {
    const { name, code, message, source, problems } = error;
    return { name, code, message, source, problems };
  }
  if (error instanceof CastorError) return { name: error.name, code: error.code, message: error.message };
  return error instanceof Error ? { name: error.name, message: error.message } : { name: "Error", message: String(error) };
}

/** The error to throw for a failure of the worker. */
export const toError = ({ code, message }: WorkerFailure): Error =>
  code === undefined ? new Error(message) : new StudioError(message);
