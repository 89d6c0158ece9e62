/** Native MuJoCo, if the library is installed (Debian: libmujoco-dev). The program mujoco-native.c is compiled at every start. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SOURCE = fileURLToPath(new URL("../../bench/peers/mujoco-native.c", import.meta.url));

export interface NativeRun {
  readonly version: string;
  /** ns per call */
  readonly min: number;
  readonly median: number;
  /** Accelerations in MuJoCo's convention. */
  readonly qacc: Float64Array;
}

export interface NativeMujoco {
  /** Times forward dynamics for some milliseconds. The state is in MuJoCo's convention. */
  run(xml: string, state: readonly Float64Array[], milliseconds: number): NativeRun;
  delete(): void;
}

/** Undefined without a compiler or without the library. */
export function createNativeMujoco(): NativeMujoco | undefined {
  const folder = mkdtempSync(join(tmpdir(), "castor-bench-"));
  const program = join(folder, "mujoco-native");
  const compilation = spawnSync("cc", ["-O3", "-march=native", SOURCE, "-lmujoco", "-lm", "-o", program]);
  const remove = (): void => rmSync(folder, { recursive: true });
  if (compilation.status !== 0) {
    remove();
    return undefined;
  }
  return {
    run(xml, state, milliseconds) {
      const file = join(folder, "model.xml");
      writeFileSync(file, xml);
      const input = state.map((numbers) => numbers.join(" ")).join("\n");
      const { status, stdout, stderr } = spawnSync(program, [file, String(milliseconds)], { input, encoding: "utf8" });
      if (status !== 0) throw new Error(`native MuJoCo failed: ${stderr}`);
      const [version, times, qacc] = stdout.split("\n");
      const [min, median] = times!.split(" ").map(Number);
      return { version: version!, min: min!, median: median!, qacc: Float64Array.from(qacc!.trim().split(" "), Number) };
    },
    delete: remove,
  };
}
