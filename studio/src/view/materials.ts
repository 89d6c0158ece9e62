/** Materials of surfaces, physically based. Their textures are computed here, once per page. */
import { MATERIALS, type MaterialName } from "castor/model";
import {
  Color,
  DataTexture,
  LinearFilter,
  LinearMipmapLinearFilter,
  MeshStandardMaterial,
  RepeatWrapping,
  SRGBColorSpace,
} from "three";

interface Finish {
  readonly roughness: number;
  readonly metalness: number;
  /** Relief, and its depth. Its tile is this part of the size of the machine. */
  readonly relief?: { readonly texture: () => DataTexture; readonly depth: number; readonly tile: number };
  /** Pattern of the colour, a tile per unit of the surface coordinates. */
  readonly pattern?: () => DataTexture;
  /** Light that the surface emits, as a multiple of its colour. */
  readonly glow?: number;
}

const FINISHES: Readonly<Record<MaterialName, Finish>> = {
  paint: { roughness: 0.5, metalness: 0 },
  metal: { roughness: 0.32, metalness: 0.9 },
  foil: { roughness: 0.3, metalness: 1, relief: { texture: creases, depth: 0.5, tile: 0.16 } },
  "solar-cells": { roughness: 0.28, metalness: 0.35, pattern: solarCell },
  regolith: { roughness: 1, metalness: 0, relief: { texture: grains, depth: 0.8, tile: 0.6 } },
  rubber: { roughness: 0.85, metalness: 0 },
  composite: { roughness: 0.42, metalness: 0.15 },
  blanket: { roughness: 0.8, metalness: 0, relief: { texture: creases, depth: 0.25, tile: 0.4 } },
  glass: { roughness: 0.06, metalness: 0.9 },
  lamp: { roughness: 0.4, metalness: 0, glow: 1.5 },
};

/** Colour of a material: that of the shape, of the material, or of the body. */
export const materialColour = (name: MaterialName, colour: string | undefined, bodyColour: string): string =>
  colour ?? MATERIALS[name] ?? bodyColour;

/** @param size radius of the machine, to which the textures are scaled */
export function surfaceMaterial(name: MaterialName, colour: string, opacity: number, size: number): MeshStandardMaterial {
  const { roughness, metalness, relief, pattern, glow } = FINISHES[name];
  const material = new MeshStandardMaterial({ color: pattern ? "#ffffff" : colour, roughness, metalness });
  if (opacity < 1) Object.assign(material, { transparent: true, opacity, depthWrite: false });
  if (glow !== undefined) material.emissive.set(colour).multiplyScalar(glow);
  if (pattern) {
    material.map = pattern();
    const own = new Color(MATERIALS[name]);
    const wanted = new Color(colour);
    if (!wanted.equals(own)) material.color.setRGB(wanted.r / own.r, wanted.g / own.g, wanted.b / own.b);
  }
  if (relief) {
    const texture = relief.texture().clone();
    texture.repeat.setScalar(1 / (relief.tile * size));
    material.normalMap = texture;
    material.normalScale.setScalar(relief.depth);
  }
  return material;
}

/** A texture that is computed when it is first needed. It belongs to the page and is never disposed. */
function lazyTexture(create: () => DataTexture): () => DataTexture {
  let texture: DataTexture | undefined;
  return () => {
    texture ??= create();
    return texture;
  };
}

function tiled(size: number, pixel: (x: number, y: number, out: [number, number, number]) => void): DataTexture {
  const data = new Uint8Array(4 * size * size);
  const rgb: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < size * size; i++) {
    pixel(i % size, Math.floor(i / size), rgb);
    data.set([255 * rgb[0], 255 * rgb[1], 255 * rgb[2], 255], 4 * i);
  }
  const texture = new DataTexture(data, size, size);
  texture.wrapS = RepeatWrapping;
  texture.wrapT = RepeatWrapping;
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.anisotropy = 8;
  texture.needsUpdate = true;
  return texture;
}

/** A fixed sequence of random numbers between 0 and 1. */
export function randomSequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Smooth noise between 0 and 1 that repeats after `cells` cells. */
function periodicNoise(cells: number, seed: number): (x: number, y: number) => number {
  const random = randomSequence(seed);
  const values = Float32Array.from({ length: cells * cells }, random);
  const at = (i: number, k: number): number => values[(((i % cells) + cells) % cells) * cells + (((k % cells) + cells) % cells)]!;
  const ease = (t: number): number => t * t * (3 - 2 * t);
  return (x, y) => {
    const [i, k] = [Math.floor(x), Math.floor(y)];
    const [u, v] = [ease(x - i), ease(y - k)];
    return (at(i, k) * (1 - u) + at(i + 1, k) * u) * (1 - v) + (at(i, k + 1) * (1 - u) + at(i + 1, k + 1) * u) * v;
  };
}

/** Normals of a periodic relief. @param height at a place in units of the tile; `slope` scales its gradient */
function normalTexture(size: number, slope: number, height: (x: number, y: number) => number): DataTexture {
  const h = new Float32Array(size * size);
  for (let i = 0; i < h.length; i++) h[i] = height((i % size) / size, Math.floor(i / size) / size);
  const at = (x: number, y: number): number => h[((y + size) % size) * size + ((x + size) % size)]!;
  return tiled(size, (x, y, out) => {
    const [a, b] = [slope * (at(x - 1, y) - at(x + 1, y)), slope * (at(x, y - 1) - at(x, y + 1))];
    const length = Math.hypot(a, b, 1);
    out[0] = 0.5 + (0.5 * a) / length;
    out[1] = 0.5 + (0.5 * b) / length;
    out[2] = 0.5 + 0.5 / length;
  });
}

const creaseTexture = lazyTexture(() => {
  const octaves = [3, 6, 12, 24].map((cells, k) => ({ cells, noise: periodicNoise(cells, 11 + k), weight: 0.55 ** k }));
  return normalTexture(256, 10, (x, y) =>
    octaves.reduce((sum, { cells, noise, weight }) => sum + weight * Math.abs(2 * noise(x * cells, y * cells) - 1), 0),
  );
});

/** Wrinkles of foil: sharp ridges between smooth facets. */
function creases(): DataTexture {
  return creaseTexture();
}

const grainTexture = lazyTexture(() => {
  const octaves = [8, 16, 32, 64].map((cells, k) => ({ cells, noise: periodicNoise(cells, 31 + k), weight: 0.7 ** k }));
  return normalTexture(256, 3, (x, y) =>
    octaves.reduce((sum, { cells, noise, weight }) => sum + weight * noise(x * cells, y * cells), 0),
  );
});

/** Grains of soil. */
export function grains(): DataTexture {
  return grainTexture();
}

const cellTexture = lazyTexture(() => {
  const SIZE = 128;
  const texture = tiled(SIZE, (px, py, out) => {
    const [x, y] = [(px + 0.5) / SIZE, (py + 0.5) / SIZE];
    const edge = Math.min(x, y, 1 - x, 1 - y);
    const corner = Math.min(x, 1 - x) + Math.min(y, 1 - y);
    const isGap = edge < 0.025 || corner < 0.14;
    const isBar = Math.abs(x - 0.27) < 0.008 || Math.abs(x - 0.73) < 0.008;
    const isFinger = py % 8 === 0;
    const shade = 0.9 + 0.1 * Math.sin(9 * x + 4 * y);
    const rgb: readonly [number, number, number] = isGap
      ? [0.3, 0.33, 0.38]
      : isBar
        ? [0.52, 0.56, 0.62]
        : isFinger
          ? [0.13, 0.21, 0.4]
          : [0.075 * shade, 0.17 * shade, 0.37 * shade];
    for (const k of [0, 1, 2] as const) out[k] = rgb[k];
  });
  texture.colorSpace = SRGBColorSpace;
  return texture;
});

/** One solar cell with its bars, and the gaps around it. */
function solarCell(): DataTexture {
  return cellTexture();
}
