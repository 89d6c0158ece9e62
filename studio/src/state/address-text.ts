/** Text in an address: deflated, then base64 with characters that need no escaping. */
import { StudioError } from "./studio-error.ts";

export async function packText(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let characters = "";
  for (const byte of bytes) characters += String.fromCharCode(byte);
  return btoa(characters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Maximum unpacked size, bytes; larger than any scenario. A short address from elsewhere could otherwise unpack to more than the memory holds. */
const MAX_UNPACKED_BYTES = 32e6;

export async function unpackText(packed: string): Promise<string> {
  try {
    const characters = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(characters, (character) => character.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let text = "";
    let length = 0;
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return text + decoder.decode();
      length += value.byteLength;
      if (length > MAX_UNPACKED_BYTES) {
        await reader.cancel();
        throw new StudioError(`it unpacks to more than ${MAX_UNPACKED_BYTES / 1e6} MB`);
      }
      text += decoder.decode(value, { stream: true });
    }
  } catch (error) {
    throw new StudioError(`the scenario in the address cannot be read: ${reasonOf(error)}`, { cause: error });
  }
}

const reasonOf = (error: unknown): string => (error instanceof StudioError ? error.message : "the address may have been cut off");
