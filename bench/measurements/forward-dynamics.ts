/** Forward dynamics, u̇ from q, u and tau: Castor's kernels and MuJoCo with the same model and state, in one process. */
import { differenceFrom, forwardDynamicsKernels, kernelContender } from "../machines/castor-kernels.ts";
import { type BenchState, type ModelName, readModel } from "../machines/models.ts";
import { createNativeMujoco } from "../peers/mujoco-native.ts";
import { createMujoco, type MujocoPeer } from "../peers/mujoco-wasm.ts";
import type { BatchTiming, Contender } from "../run/interleaved-timing.ts";
import { combineTimings, perturbedContender, timeInTurns, warmUp } from "../run/interleaved-timing.ts";

type VersionedTiming = BatchTiming & { readonly version: string };

export interface ForwardDynamicsRow {
  readonly model: ModelName;
  readonly freedoms: number;
  /** Operations of Castor's kernel, without sin and cos. */
  readonly ops: number;
  /** All times are per state. */
  readonly wasm: BatchTiming;
  readonly batch: BatchTiming;
  readonly js: BatchTiming;
  /** The fastest sequence of calls that computes accelerations. */
  readonly mujoco: VersionedTiming & { readonly calls: string };
  /** Only if native MuJoCo is installed. */
  readonly native?: VersionedTiming;
  /** Largest difference of any kernel from MuJoCo, relative to the largest acceleration. It proves that all solve the same problem. */
  readonly difference: number;
}

/** The measurement has several parts. Between them the native peer runs in its own process. */
const PARTS = 4;
/** V8 needs longer to optimise the many functions of a large JavaScript kernel than a WebAssembly module. */
const JS_STEADY_MS = 1000;
const WASM_STEADY_MS = 400;

export async function measureForwardDynamics(name: ModelName, milliseconds: number): Promise<ForwardDynamicsRow> {
  const { description, state } = readModel(name);
  const { single, pair, js } = forwardDynamicsKernels(description, state);
  const peer = (await createMujoco())(description);
  const expected = new Float64Array(peer.mjcf.nu);
  peer.accelerations(state.q, state.u, state.tau, expected);
  const difference = Math.max(...[single, pair, js].map((kernel) => differenceFrom(expected, kernel)));

  const jsContender = kernelContender("js", js);
  const wasmContenders = [kernelContender("wasm", single), kernelContender("pair", pair)];
  const mujocoCalls = mujocoContenders(peer, state);
  warmUp([jsContender], JS_STEADY_MS);
  warmUp([...wasmContenders, ...mujocoCalls], WASM_STEADY_MS);
  const { timings, native } = raceInParts([jsContender, ...wasmContenders, ...mujocoCalls], peer, milliseconds);
  const fastest = mujocoCalls.reduce(
    (best, { name: calls }) => (timings[calls]!.min < timings[best]!.min ? calls : best),
    "mj_forward",
  );
  return {
    model: name,
    freedoms: peer.mjcf.nu,
    ops: single.ops,
    wasm: timings.wasm!,
    batch: { min: timings.pair!.min / 2, median: timings.pair!.median / 2 },
    js: timings.js!,
    mujoco: { ...timings[fastest]!, calls: fastest, version: peer.version },
    ...(native && { native }),
    difference,
  };
}

function mujocoContenders(peer: MujocoPeer, { q, u, tau }: BenchState): Contender[] {
  peer.setState(q, u, tau);
  const { qpos } = peer.memory();
  return Object.entries(peer.forwardDynamics).map(([name, calls]) => perturbedContender(name, qpos, qpos.length - 1, calls));
}

function raceInParts(contenders: readonly Contender[], peer: MujocoPeer, milliseconds: number) {
  const native = createNativeMujoco();
  const { qpos, qvel, qfrc } = peer.memory();
  const laps: BatchTiming[][] = [];
  const nativeLaps: VersionedTiming[] = [];
  for (let part = 0; part < PARTS; part++) {
    laps.push(timeInTurns(contenders, milliseconds / PARTS));
    if (native) nativeLaps.push(native.run(peer.mjcf.xml, [qpos, qvel, qfrc], milliseconds / PARTS / contenders.length));
  }
  native?.delete();
  const timings = Object.fromEntries(contenders.map(({ name }, i) => [name, combineTimings(laps.map((lap) => lap[i]!))]));
  const { version } = nativeLaps[0] ?? {};
  return { timings, native: version === undefined ? undefined : { ...combineTimings(nativeLaps), version } };
}
