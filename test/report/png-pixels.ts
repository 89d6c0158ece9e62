/** Just enough of PNG to look at what was drawn: 8 bits, RGBA, not interlaced. */
import { inflateSync } from "node:zlib";

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Colours as #rrggbb with how many pixels have them, in the given part of the picture. */
  count(left?: number, top?: number, right?: number, bottom?: number): ReadonlyMap<string, number>;
}

export function readPng(file: Uint8Array): Pixels {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  if (view.getUint16(24) !== 0x0806) throw new Error("not 8 bits RGBA");
  const parts: Uint8Array[] = [];
  for (let at = 8; at < file.length; at += 12 + view.getUint32(at))
    if (view.getUint32(at + 4) === 0x49444154) parts.push(file.subarray(at + 8, at + 8 + view.getUint32(at)));
  const data = unfiltered(inflateSync(Buffer.concat(parts)), width, height);
  return {
    width,
    height,
    count(left = 0, top = 0, right = width, bottom = height) {
      const colours = new Map<string, number>();
      for (let y = top; y < bottom; y++)
        for (let x = left; x < right; x++) {
          const at = 4 * (y * width + x);
          const colour = `#${Buffer.from(data.subarray(at, at + 3)).toString("hex")}`;
          colours.set(colour, (colours.get(colour) ?? 0) + 1);
        }
      return colours;
    },
  };
}

function unfiltered(raw: Uint8Array, width: number, height: number): Uint8Array {
  const row = 4 * width;
  const data = new Uint8Array(row * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < row; x++) {
      const left = x < 4 ? 0 : data[y * row + x - 4]!;
      const up = y === 0 ? 0 : data[(y - 1) * row + x]!;
      const corner = x < 4 || y === 0 ? 0 : data[(y - 1) * row + x - 4]!;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][raw[y * (row + 1)]!]!;
      data[y * row + x] = raw[y * (row + 1) + 1 + x]! + guess;
    }
  return data;
}

function paeth(a: number, b: number, c: number): number {
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}
