/** Starts a worker: by the address of its script, or by the text of its parts if the page was opened from a file. See studio/part-loader.ts. */

interface Parts {
  /** The parts of the page and of its workers, by name, and the function that runs them. */
  readonly castorParts: Readonly<Record<string, () => void>>;
  readonly castorLoader: () => void;
  readonly castorWorker: { readonly name: string; readonly parts: readonly string[] };
}

export function spawnWorker(name: string): Worker {
  const { castorParts, castorLoader, castorWorker } = globalThis as unknown as Parts;
  if (location.protocol !== "file:") return new Worker(new URL(`assets/${castorWorker.name}`, document.baseURI), { name });
  const texts = [...castorWorker.parts, castorWorker.name].map((part) => `${JSON.stringify(part)}:${castorParts[part]}`);
  const start = `self.castorParts={${texts.join(",\n")}};(${castorLoader})(self);self.castorStart(${JSON.stringify(castorWorker.name)});`;
  const address = URL.createObjectURL(new Blob([start], { type: "text/javascript" }));
  const worker = new Worker(address, { name });
  URL.revokeObjectURL(address);
  return worker;
}
