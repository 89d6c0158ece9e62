import type { Fields } from "../declare/plain-data.ts";

/** The value as an object; empty if it is not an object. */
export const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});
