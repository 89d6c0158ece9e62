/**
 * Runs controllers and writes their commands into the held inputs. Sampled controllers run at k × period (computed, not accumulated).
 * Continuous controllers and ramps are evaluated whenever the system is evaluated.
 */

import { ArgumentError, valueText } from "../../errors.ts";
import { compile, type Kernel } from "../../kernel/run/kernel.ts";
import type { Channel } from "../../log/log.ts";
import { frameOf } from "../../model/model.ts";
import { checkSavedInteger, savedEntries, takeSaved } from "../../saved-data.ts";
import { allLoops } from "../events/engagement.ts";
import type { ChannelReader } from "../record/channel-reader.ts";
import { channelReader } from "../record/recorder.ts";
import type { ControllerState } from "../state.ts";
import type { Snapshot } from "../system/force-element.ts";
import type { LoopChange } from "../system/loop-change.ts";
import { framesProgram } from "../system/motion-program.ts";
import type { Workspace } from "../system/workspace.ts";
import { commandTargets } from "./command-targets.ts";
import { type Controller, decodeMemory, encodeMemory, type Intent } from "./controller.ts";
import { startController, updateController } from "./controller-calls.ts";
import { Ramp } from "./ramp.ts";

interface RunningController {
  readonly controller: Controller;
  readonly snapshot: { -readonly [K in keyof Snapshot]: Snapshot[K] };
  readonly command: Float64Array;
  /** Target of each command: an index of the held inputs, or, from their number on, an index of the loops. */
  readonly targets: readonly number[];
  readonly ramp: Ramp | undefined;
  readonly frames: Kernel | undefined;
  /** Reads the channels that it measures. */
  sensors?: ChannelReader;
  /** Values of its channels. */
  readonly values: Float64Array;
  isOn: boolean;
  memory: unknown;
  /** Number of the next sample, or of the next break of a continuous law. */
  next: number;
  /** The last intent in `intents`. */
  intent: Intent | undefined;
}

/** The intent of a controller from time t on. */
export interface TimedIntent extends Intent {
  readonly controller: string;
  readonly t: number;
}

/** The largest number below t, for t > 0. */
const previousNumber = (t: number): number => t * (1 - Number.EPSILON / 2);

export class ControllerRunner {
  readonly #workspace: Workspace;
  /** Coordinates and speeds as all controllers see them. */
  readonly #q: Float64Array;
  readonly #u: Float64Array;
  readonly #controllers: readonly RunningController[];
  /** Channels of all controllers, and their values at the last update. */
  readonly channels: readonly Channel[];
  readonly values: Float64Array;
  /** Intents of the controllers, in order; the list grows. */
  readonly intents: TimedIntent[] = [];
  /** Names of all loops; for each the command of a controller (engaged above 0.5), undefined if no controller commands it. */
  readonly #loops: readonly string[];
  readonly #loopCommands: (number | undefined)[];

  constructor(workspace: Workspace, controllers: readonly Controller[]) {
    this.#workspace = workspace;
    const { layout, model } = workspace;
    this.#q = new Float64Array(layout.nq);
    this.#u = new Float64Array(layout.nu);
    this.channels = controllerChannels(controllers);
    this.values = new Float64Array(this.channels.length);
    let first = 0;
    this.#loops = allLoops(model).map((loop) => loop.name);
    this.#loopCommands = this.#loops.map(() => undefined);
    const targetsOf = commandTargets(layout, this.#loops, controllers);
    this.#controllers = controllers.map((controller, i): RunningController => {
      const targets = targetsOf[i]!;
      const frames = (controller.frames ?? []).map((name) => frameOf(model, name));
      const kernel = frames.length > 0 ? compile(framesProgram(layout, frames)) : undefined;
      const running: RunningController = {
        controller,
        targets,
        command: new Float64Array(targets.length),
        ramp: controller.between === "ramp" ? new Ramp(targets.length, controller.period) : undefined,
        frames: kernel,
        values: this.values.subarray(first, first + (controller.channels?.length ?? 0)),
        snapshot: {
          ...{ model, t: 0, q: this.#q, u: this.#u },
          z: new Float64Array(0),
          frames: kernel?.y ?? new Float64Array(0),
        },
        isOn: true,
        memory: undefined,
        next: 0,
        intent: undefined,
      };
      first += running.values.length;
      return running;
    });
    for (const r of this.#controllers)
      if (r.controller.measures?.length) r.sensors = channelReader(workspace, r.controller.measures, this);
  }

  /** Starts all controllers at a state. */
  start(t: number, y: Float64Array): void {
    this.#takeState(y);
    for (const running of this.#controllers) this.#start(running, t);
  }

  /** How inputs change between samples: with the state (continuous laws), with time only (ramps), or not at all (undefined). */
  get inputVariation(): "with the state" | "with time" | undefined {
    if (this.#controllers.some((r) => r.controller.period === 0)) return "with the state";
    return this.#controllers.some((r) => r.ramp) ? "with time" : undefined;
  }

  /** Time of the next sample or break of any enabled controller. */
  next(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const r of this.#controllers) if (r.isOn) next = Math.min(next, nextUpdateTime(r));
    return next;
  }

  /** True if a continuous law has a break at t. */
  breaksAt(t: number): boolean {
    return this.#controllers.some((r) => r.isOn && r.controller.period === 0 && nextUpdateTime(r) === t);
  }

  /** Runs the sampled controllers that are due at t. Continuous laws are on the later side of their breaks up to t from now on. */
  sample(t: number, y: Float64Array): void {
    this.#takeState(y);
    for (const r of this.#controllers) {
      if (r.controller.period > 0) {
        if (!r.isOn || nextUpdateTime(r) > t) continue;
        r.next++;
        if (r.ramp?.isOver) this.#startRamp(r, r.ramp);
        if (r.sensors) r.snapshot.measured = r.sensors.read(t, y);
        this.#update(r, t);
      } else while (nextUpdateTime(r) <= t) r.next++;
    }
  }

  /** Name and reason of the first controller that ends the run; undefined if none does. */
  get finished(): string | undefined {
    for (const { controller, memory, isOn } of this.#controllers) {
      const why = isOn && controller.period > 0 ? controller.finished?.(memory) : undefined;
      if (why !== undefined) return `${controller.name}: ${why}`;
    }
    return undefined;
  }

  /** Updates the commands between samples: continuous laws at a state (at a break: of the side before it), and ramps. */
  updateContinuous(t: number, y: Float64Array): void {
    this.#takeState(y);
    for (const r of this.#controllers) {
      if (!r.isOn) continue;
      if (r.controller.period === 0) this.#update(r, Math.min(t, previousNumber(nextUpdateTime(r))));
      else if (r.ramp && !r.ramp.isOver) this.#applyRamp(r, r.ramp, t);
    }
  }

  #applyRamp({ targets }: RunningController, ramp: Ramp, t: number): void {
    const { held } = this.#workspace;
    for (let k = 0; k < targets.length; k++) if (targets[k]! < held.length) held[targets[k]!] = ramp.at(k, t);
  }

  /** A first ramp starts at the present inputs. */
  #startRamp({ targets }: RunningController, ramp: Ramp): void {
    for (let k = 0; k < targets.length; k++) ramp.setStart(k, this.#workspace.held[targets[k]!] ?? 0);
  }

  #update(r: RunningController, t: number): void {
    this.#observe(r, t);
    r.memory = updateController(r.controller, r.snapshot, r.memory, r.command);
    const { held } = this.#workspace;
    r.controller.report?.(r.memory, r.values);
    const intent = r.controller.intent?.(r.memory);
    if (intent !== undefined && intent !== r.intent) {
      r.intent = intent;
      this.intents.push({ controller: r.controller.name, t, ...intent });
    }
    r.ramp?.retarget(t, r.command);
    for (let k = 0; k < r.targets.length; k++) {
      const target = r.targets[k]!;
      if (target < held.length) held[target] = r.ramp ? r.ramp.at(k, t) : r.command[k]!;
      else this.#loopCommands[target - held.length] = r.command[k]!;
    }
  }

  /** Enables a controller. It restarts from this state, and its next sample is at or after t. */
  enable(name: string, t: number, y: Float64Array): void {
    const r = this.#find(name);
    if (r.isOn) return;
    r.isOn = true;
    this.#takeState(y);
    this.#start(r, t);
  }

  /** Starts a controller at t, in the state that was taken. Its first sample is at or after t. */
  #start(r: RunningController, t: number): void {
    this.#observe(r, t);
    r.memory = startController(r.controller, this.#workspace.model, r.snapshot);
    const { period } = r.controller;
    if (period > 0) r.next = Math.ceil((t / period) * (1 - Number.EPSILON));
  }

  /** What the controllers keep: a copy. */
  save(): readonly ControllerState[] {
    return this.#controllers.map(({ controller, isOn, next, memory, values, ramp }) => ({
      name: controller.name,
      isOn,
      next,
      memory: encodeMemory(controller, memory),
      values: values.slice(),
      ramp: ramp?.save() ?? null,
    }));
  }

  /** Continues from saved memories at t. @throws ArgumentError or FormatError if they belong to other controllers */
  restore(saved: readonly ControllerState[], t: number): void {
    this.intents.length = 0;
    const names = (list: readonly { readonly name: string }[]): string => list.map(({ name }) => name).join(", ") || "none";
    const controllers = this.#controllers.map((r) => r.controller);
    if (!Array.isArray(saved) || names(saved) !== names(controllers))
      throw new ArgumentError(
        "state.discrete.run.controllers",
        `saved with the controllers ${Array.isArray(saved) ? names(saved) : valueText(saved)}, but this run has ${names(controllers)}`,
      );
    for (const [i, r] of this.#controllers.entries()) {
      const path = `controllers[${i}]`;
      const entries = savedEntries(saved[i], ["name", "isOn", "next", "memory", "values", "ramp"], path);
      const { isOn, next, values } = entries;
      const taken = { isOn: false, next: 0, values: r.values.slice() };
      takeSaved(taken, { isOn, next, values }, path);
      checkSavedInteger(taken.next, 0, Number.MAX_SAFE_INTEGER, `${path}.next`);
      r.isOn = taken.isOn;
      r.next = taken.next;
      r.values.set(taken.values);
      r.memory = decodeMemory(r.controller, entries.memory, this.#workspace.model);
      r.ramp?.restore(entries.ramp, `${path}.ramp`);
      r.intent = r.controller.intent?.(r.memory);
      if (r.intent) this.intents.push({ controller: r.controller.name, t, ...r.intent });
    }
  }

  /** Disables a controller. Its commands are zero from now on. */
  disable(name: string): void {
    const r = this.#find(name);
    r.isOn = false;
    r.ramp?.end();
    for (const target of r.targets) if (target < this.#workspace.held.length) this.#workspace.held[target] = 0;
  }

  /** Loops that controllers command to engage or release and that do not hold that way yet; undefined if there are none. */
  requestedLoopChange(): LoopChange | undefined {
    const { held } = this.#workspace.loops;
    const differ = (hold: boolean): string[] =>
      this.#loops.filter(
        (name, i) => this.#loopCommands[i] !== undefined && this.#loopCommands[i]! > 0.5 === hold && held.has(name) !== hold,
      );
    const [engage, release] = [differ(true), differ(false)];
    this.#loopCommands.fill(undefined);
    return engage.length + release.length > 0 ? { engage, release } : undefined;
  }

  #find(name: string): RunningController {
    const running = this.#controllers.find((r) => r.controller.name === name);
    if (running) return running;
    const known = this.#controllers.map((r) => r.controller.name).join(", ") || "none";
    throw new ArgumentError("controllers", `no controller is named "${name}". There are: ${known}`);
  }

  /** Takes the state that controllers see. */
  #takeState(y: Float64Array): void {
    const [q, u] = [this.#q, this.#u];
    for (let i = 0; i < q.length; i++) q[i] = y[i]!;
    for (let i = 0; i < u.length; i++) u[i] = y[q.length + i]!;
  }

  /** Sets the time and the engaged loops of its snapshot, and evaluates the frames that it observes. */
  #observe(r: RunningController, t: number): void {
    r.snapshot.t = t;
    r.snapshot.loops = this.#workspace.loops.held;
    if (!r.frames) return;
    r.frames.x.set(this.#q);
    r.frames.x.set(this.#u, this.#q.length);
    r.frames.evaluate();
  }
}

/** Channels of controllers by their full names in logs. */
export const controllerChannels = (controllers: readonly Controller[]): Channel[] =>
  controllers.flatMap(({ name, channels = [] }) => channels.map((channel) => ({ ...channel, name: `${name}.${channel.name}` })));

/** Time of the next update of a controller, or of the next break of a continuous one. */
const nextUpdateTime = ({ controller, next }: RunningController): number =>
  controller.period > 0 ? next * controller.period : (controller.breaks?.[next] ?? Number.POSITIVE_INFINITY);
