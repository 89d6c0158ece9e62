/** The complete logs of all built-in scenarios have the same bits in every engine. */
import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NAMES } from "../fixtures/built-in.ts";
import { buildRunner, ENGINES, type Engine, type Hashes } from "../fixtures/engines/engines.ts";

const TIMEOUT = 300_000;

const installed = ENGINES.filter(({ run }) => run !== undefined);
for (const { name } of ENGINES.filter(({ run }) => run === undefined))
  console.warn(`${name} is not installed, so its logs are not compared; .ci/engines installs it`);

let folder: string;
const hashes = new Map<Engine, Promise<Hashes>>();
beforeAll(async () => {
  folder = await buildRunner();
  // One after the other: other tests that wait for a browser run beside this one.
  for (const engine of installed) {
    hashes.set(engine, engine.run!(folder));
    await Promise.allSettled(hashes.values());
  }
}, TIMEOUT);
afterAll(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

describe("logs of the built-in scenarios", () => {
  const [reference, ...others] = installed;

  it(`are complete in ${reference!.name}`, async () => {
    const all = await hashes.get(reference!)!;
    expect(Object.keys(all)).toEqual(NAMES);
    expect(Object.values(all).filter((hash) => !/^[0-9a-f]{64}$/.test(hash))).toEqual([]);
    expect(new Set(Object.values(all)).size).toBe(NAMES.length);
  });

  it.each(others)(`have the same hashes in ${reference!.name} and $name`, async (engine) => {
    expect(await hashes.get(engine)!).toEqual(await hashes.get(reference!)!);
  });

  it.skip.each(ENGINES.filter(({ run }) => run === undefined))("$name is not installed: see .ci/engines", () => {});
});
