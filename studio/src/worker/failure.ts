/** Converts errors to plain data, which a worker can send to the page. */
import { ModelError } from "castor";
import type { WorkerFailure } from "./protocol.ts";

export function toWorkerFailure(error: unknown): WorkerFailure {
  if (error instanceof ModelError) {
    const { name, message, source, problems } = error;
    return { name, message, source, problems };
  }
  return error instanceof Error ? { name: error.name, message: error.message } : { name: "Error", message: String(error) };
}
