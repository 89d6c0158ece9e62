/**
 * Ruts of wheels: for each cell of the ground the greatest depth that a wheel has reached, in a sparse grid of tiles. Only tiles that a
 * wheel has touched are allocated.
 */

import { ModelError, valueText } from "../errors.ts";

/** Number of cells along the side of a tile, a power of two. */
const TILE_SIDE = 32;
/** Maximum number of tiles: 160 MB. */
const MAX_TILES = 40_000;
const NO_TILE = -1;

/** Last position of a wheel, so that fast wheels leave no gaps in their tracks. */
interface WheelTrack {
  x: number;
  y: number;
  depth: number;
}

interface EncodedRuts {
  readonly tiles: ReadonlyMap<number, Float32Array>;
  readonly tracks: ReadonlyMap<string, Readonly<WheelTrack>>;
}

export class RutField {
  readonly cell: number;
  readonly #tiles = new Map<number, Float32Array>();
  readonly #tracks = new Map<string, WheelTrack>();
  #lastKey = NO_TILE;
  #lastTile: Float32Array | undefined;

  /** @param cell side of a cell, m */
  constructor(cell: number) {
    this.cell = cell;
  }

  clear(): void {
    this.#tiles.clear();
    this.#tracks.clear();
    this.#lastKey = NO_TILE;
    this.#lastTile = undefined;
  }

  /** All tiles by their keys, and the last positions of the wheels: a copy. */
  encode(): EncodedRuts {
    return {
      tiles: new Map([...this.#tiles].map(([key, tile]) => [key, tile.slice()])),
      tracks: new Map([...this.#tracks].map(([name, track]) => [name, { ...track }])),
    };
  }

  /** Replaces the ruts by encoded ones. @throws ModelError if the data are not those of `encode` */
  decode(data: unknown): void {
    const { tiles, tracks } = Object(data) as Partial<EncodedRuts>;
    if (!(tiles instanceof Map) || tiles.size > MAX_TILES) refuse("tiles", `must be a map of at most ${MAX_TILES} tiles`, tiles);
    for (const [key, tile] of tiles) {
      if (!Number.isSafeInteger(key)) refuse("tiles", "the key of a tile must be a whole number", key);
      if (!(tile instanceof Float32Array && tile.length === TILE_SIDE * TILE_SIDE))
        refuse(`tiles.${key}`, `must be ${TILE_SIDE * TILE_SIDE} single-precision depths`, tile);
    }
    if (!(tracks instanceof Map)) refuse("tracks", "must be a map of the last positions of the wheels", tracks);
    for (const [name, track] of tracks) {
      if (typeof name !== "string") refuse("tracks", "the name of a wheel must be a text", name);
      const { x, y, depth } = Object(track) as Partial<WheelTrack>;
      if (![x, y, depth].every((value) => typeof value === "number"))
        refuse(`tracks.${name}`, "must have the numbers x, y and depth", track);
    }
    this.clear();
    for (const [key, tile] of tiles) this.#tiles.set(key, tile.slice());
    for (const [name, { x, y, depth }] of tracks) this.#tracks.set(name, { x, y, depth });
  }

  get isEmpty(): boolean {
    return this.#tiles.size === 0;
  }

  /** Greatest depth of wheels at a point, m, by bilinear interpolation between the centres of cells. */
  depthAt(x: number, y: number): number {
    const u = x / this.cell - 0.5;
    const v = y / this.cell - 0.5;
    const i = Math.floor(u);
    const j = Math.floor(v);
    const s = u - i;
    const t = v - j;
    const low = (1 - s) * this.#get(i, j) + s * this.#get(i + 1, j);
    const high = (1 - s) * this.#get(i, j + 1) + s * this.#get(i + 1, j + 1);
    return (1 - t) * low + t * high;
  }

  /**
   * Records that a wheel has moved to (x, y) at `depth`, with its axle along (lx, ly): the ground between its last and its new position is
   * deepened over its width. False if the maximum number of tiles is reached.
   */
  recordPass(name: string, x: number, y: number, lx: number, ly: number, width: number, depth: number): boolean {
    const track = this.#tracks.get(name) ?? { x, y, depth };
    this.#tracks.set(name, track);
    const distance = Math.sqrt((x - track.x) * (x - track.x) + (y - track.y) * (y - track.y));
    const steps = Math.max(1, Math.ceil((2 * distance) / this.cell));
    const across = Math.max(1, Math.ceil((2 * width) / this.cell));
    // A wheel that was in the air begins a new track.
    const isContinued = track.depth > 0 && distance < 100 * this.cell;
    for (let k = isContinued ? 1 : steps; k <= steps; k++) {
      const fraction = k / steps;
      const z = track.depth + (depth - track.depth) * fraction;
      for (let m = 0; m <= across; m++) {
        const offset = (m / across - 0.5) * width;
        const px = track.x + (x - track.x) * fraction + offset * lx;
        const py = track.y + (y - track.y) * fraction + offset * ly;
        if (!this.#deepen(Math.floor(px / this.cell), Math.floor(py / this.cell), isContinued ? z : depth)) return false;
      }
    }
    track.x = x;
    track.y = y;
    track.depth = depth;
    return true;
  }

  #get(i: number, j: number): number {
    const tile = this.#tile(i, j);
    return tile === undefined ? 0 : tile[(i & (TILE_SIDE - 1)) + TILE_SIDE * (j & (TILE_SIDE - 1))]!;
  }

  #deepen(i: number, j: number, depth: number): boolean {
    if (!(depth > 0)) return true;
    let tile = this.#tile(i, j);
    if (tile === undefined) {
      if (this.#tiles.size >= MAX_TILES) return false;
      tile = new Float32Array(TILE_SIDE * TILE_SIDE);
      this.#tiles.set(tileKey(i, j), tile);
      this.#lastKey = NO_TILE;
    }
    const index = (i & (TILE_SIDE - 1)) + TILE_SIDE * (j & (TILE_SIDE - 1));
    if (depth > tile[index]!) tile[index] = depth;
    return true;
  }

  /** The tile of a cell. The last one is cached, because neighbours are mostly in the same tile. */
  #tile(i: number, j: number): Float32Array | undefined {
    const key = tileKey(i, j);
    if (key === this.#lastKey) return this.#lastTile;
    this.#lastKey = key;
    this.#lastTile = this.#tiles.get(key);
    return this.#lastTile;
  }
}

const tileKey = (i: number, j: number): number =>
  (Math.floor(i / TILE_SIDE) + 0x1000000) * 0x4000000 + Math.floor(j / TILE_SIDE) + 0x1000000;

function refuse(path: string, message: string, value: unknown): never {
  throw new ModelError("saved ruts", [{ path, message, value: valueText(value), advice: "Save the run again" }]);
}
