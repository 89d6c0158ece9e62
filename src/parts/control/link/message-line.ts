/** One direction of a link: messages that arrive after a fixed number of updates, in order, or are lost. */
import { gridHash } from "../../../ground/procedural.ts";
import { refuseSaved, takeFiniteSaved } from "../../../saved-data.ts";

/** Messages under way. A message of update k has the place k modulo the number of places. */
export interface MessageLineMemory {
  readonly entries: Float64Array;
  /** 1 if the place holds a message. */
  readonly used: Int8Array;
  /** Number of messages lost so far. */
  lost: number;
}

export class MessageLine {
  readonly #size: number;
  readonly #latency: number;
  readonly #isLost: (update: number) => boolean;

  /**
   * @param size entries of a message
   * @param latency delay in updates
   * @param isLost true if the message of this update is lost
   */
  constructor(size: number, latency: number, isLost: (update: number) => boolean) {
    this.#size = size;
    this.#latency = latency;
    this.#isLost = isLost;
  }

  start(): MessageLineMemory {
    const places = this.#latency + 1;
    return { entries: new Float64Array(places * this.#size), used: new Int8Array(places), lost: 0 };
  }

  /** Sends a message at update k. `receive` must follow, for every k in turn. */
  send(memory: MessageLineMemory, k: number, message: Float64Array): void {
    if (this.#isLost(k)) {
      memory.lost++;
      return;
    }
    const place = k % memory.used.length;
    memory.entries.set(message, place * this.#size);
    memory.used[place] = 1;
  }

  /** Writes the message that arrives at update k. Returns false if none does. */
  receive(memory: MessageLineMemory, k: number, message: Float64Array): boolean {
    const place = (k + 1) % memory.used.length; // that of update k - latency
    if (memory.used[place] !== 1) return false;
    for (let i = 0; i < this.#size; i++) message[i] = memory.entries[place * this.#size + i]!;
    memory.used[place] = 0;
    return true;
  }

  /** @throws FormatError if the data are not those of this line */
  decode(data: unknown, path: string): MessageLineMemory {
    const memory = this.start();
    takeFiniteSaved(memory, data, path);
    const bad = memory.used.findIndex((used) => used !== 0 && used !== 1);
    if (bad >= 0) refuseSaved(`${path}.used[${bad}]`, "must be 0 or 1", memory.used[bad]);
    return memory;
  }
}

/** Number of messages that were sent and have not arrived. */
export const messagesUnderWay = ({ used }: MessageLineMemory): number => {
  let count = 0;
  for (let i = 0; i < used.length; i++) count += used[i]!;
  return count;
};

/**
 * True if message k is lost: a function of its number, its direction and the seed. So every run with this seed loses the same messages,
 * whatever else is random in the run, and wherever the run was saved.
 */
export const isMessageLost = (k: number, direction: number, seed: number, loss: number): boolean =>
  loss > 0 && (gridHash(k, direction, seed) + 1) / 2 <= loss;
