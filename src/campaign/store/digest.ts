/** Digests that show damage of stored bytes: the first 64 bits of SHA-256. For Node only. */
import { createHash } from "node:crypto";

export const bytesDigest = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex").slice(0, 16);
