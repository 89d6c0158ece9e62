/**
 * Ruts of wheels: for each cell of the ground the greatest depth that a wheel has reached, in a sparse grid of tiles. Only tiles that a
 * wheel has touched are allocated.
 */

import { checkSavedInteger, refuseSaved, savedArray, savedEntries } from "../saved-data.ts";

/** Number of cells along the side of a tile, a power of two. */
const TILE_SIDE = 32;
const TILE_CELLS = TILE_SIDE * TILE_SIDE;
/** Maximum number of tiles: 160 MB. */
const MAX_TILES = 40_000;
const NO_TILE = -1;
/** Points so near to the border of a cell, in cells, are on it. */
const BORDER = 1e-9;

/** Last position of a wheel, so that fast wheels leave no gaps in their tracks. */
interface WheelTrack {
  x: number;
  y: number;
  depth: number;
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

  /** All ruts and the last positions of the wheels as plain data: a copy. */
  encode(): unknown {
    const depths = new Float32Array(TILE_CELLS * this.#tiles.size);
    for (const [i, tile] of [...this.#tiles.values()].entries()) depths.set(tile, TILE_CELLS * i);
    return {
      tiles: Float64Array.from(this.#tiles.keys()),
      depths,
      wheels: [...this.#tracks.keys()],
      tracks: Float64Array.from([...this.#tracks.values()].flatMap(({ x, y, depth }) => [x, y, depth])),
    };
  }

  /** Replaces the ruts by encoded ones. @throws FormatError if the data are not those of `encode` */
  decode(data: unknown): void {
    const saved = savedEntries(data, ["tiles", "depths", "wheels", "tracks"], "ruts");
    const tiles = savedArray(saved.tiles, Float64Array, "ruts.tiles");
    for (const [i, key] of tiles.entries()) checkSavedInteger(key, 0, Number.MAX_SAFE_INTEGER, `ruts.tiles[${i}]`);
    if (tiles.length > MAX_TILES || new Set(tiles).size < tiles.length)
      refuseSaved("ruts.tiles", `must be ${MAX_TILES} different keys at most`, saved.tiles);
    const depths = savedArray(saved.depths, Float32Array, "ruts.depths", TILE_CELLS * tiles.length);
    const { wheels } = saved;
    if (!Array.isArray(wheels) || !wheels.every((name) => typeof name === "string") || new Set(wheels).size < wheels.length)
      refuseSaved("ruts.wheels", "must be different names", wheels);
    const tracks = savedArray(saved.tracks, Float64Array, "ruts.tracks", 3 * wheels.length);
    this.clear();
    for (const [i, key] of tiles.entries()) this.#tiles.set(key, depths.slice(TILE_CELLS * i, TILE_CELLS * (i + 1)));
    for (const [i, name] of (wheels as readonly string[]).entries())
      this.#tracks.set(name, { x: tracks[3 * i]!, y: tracks[3 * i + 1]!, depth: tracks[3 * i + 2]! });
  }

  get isEmpty(): boolean {
    return this.#tiles.size === 0;
  }

  /**
   * Greatest depth of wheels at a point, m, by bilinear interpolation between the centres of cells. Points that are mirror images in a
   * coordinate plane have the same bits if their tracks have: the interpolation counts the cells from the origin outwards.
   */
  depthAt(x: number, y: number): number {
    const u = Math.abs(x) / this.cell - 0.5;
    const v = Math.abs(y) / this.cell - 0.5;
    const i = Math.floor(u);
    const j = Math.floor(v);
    const s = u - i;
    const t = v - j;
    const near = x < 0 ? -1 - i : i;
    const far = x < 0 ? near - 1 : near + 1;
    const first = y < 0 ? -1 - j : j;
    const second = y < 0 ? first - 1 : first + 1;
    const low = (1 - s) * this.#get(near, first) + s * this.#get(far, first);
    const high = (1 - s) * this.#get(near, second) + s * this.#get(far, second);
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
        const offset = ((2 * m - across) / (2 * across)) * width;
        const px = track.x + (x - track.x) * fraction + offset * lx;
        const py = track.y + (y - track.y) * fraction + offset * ly;
        if (!this.#deepenAround(px / this.cell, py / this.cell, isContinued ? z : depth)) return false;
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

  /** Deepens the cell of a point, given in cells. A point on a border deepens both sides: rounding must not decide between left and right. */
  #deepenAround(u: number, v: number, depth: number): boolean {
    const lastI = Math.floor(u + BORDER);
    const lastJ = Math.floor(v + BORDER);
    for (let i = Math.floor(u - BORDER); i <= lastI; i++)
      for (let j = Math.floor(v - BORDER); j <= lastJ; j++) if (!this.#deepen(i, j, depth)) return false;
    return true;
  }

  #deepen(i: number, j: number, depth: number): boolean {
    if (!(depth > 0)) return true;
    let tile = this.#tile(i, j);
    if (tile === undefined) {
      if (this.#tiles.size >= MAX_TILES) return false;
      tile = new Float32Array(TILE_CELLS);
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
