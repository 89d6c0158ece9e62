/** Light of a scene: surroundings that surfaces reflect, the Sun, and light from above whose soft shadows show contact. */
import type { NumericVec3 } from "castor/model";
import {
  DataTexture,
  DataUtils,
  DirectionalLight,
  EquirectangularReflectionMapping,
  Euler,
  HalfFloatType,
  HemisphereLight,
  LinearFilter,
  Matrix4,
  type Mesh,
  MeshStandardMaterial,
  type Scene,
  Vector3,
} from "three";
import type { MachineExtent } from "./geometry/machine-extent.ts";
import type { Quality } from "./quality.ts";

/** Where the machine is: in space, or on the ground in daylight or dusk. */
export type SceneSetting = "space" | "day" | "dusk";

interface LightLevels {
  readonly sun: number;
  readonly above: number;
  readonly surroundings: number;
}

const LEVELS: Readonly<Record<SceneSetting, LightLevels>> = {
  space: { sun: 2, above: 0.25, surroundings: 1 },
  day: { sun: 1.45, above: 0.3, surroundings: 0.48 },
  dusk: { sun: 1.9, above: 0.6, surroundings: 0.6 },
};

export class Lighting {
  readonly #sun: DirectionalLight;
  readonly #above: DirectionalLight;
  readonly #sunDirection: Vector3;
  readonly #up: Vector3;
  readonly #scene: Scene;
  readonly #setting: SceneSetting;
  /** Even light in the place of the surroundings, whose reflections a processor draws slowly. */
  readonly #plain: HemisphereLight;
  #quality: Quality | undefined;
  #radius = 0;

  /** @param sun direction to the Sun, if the scenario knows it */
  constructor(scene: Scene, { up, eye, radius }: MachineExtent, setting: SceneSetting, sun?: NumericVec3) {
    const levels = LEVELS[setting];
    this.#up = new Vector3(...up);
    const front = new Vector3(...eye).addScaledVector(this.#up, -this.#up.dot(new Vector3(...eye)));
    if (front.lengthSq() < 1e-6) front.set(1, 0, 0).cross(this.#up);
    front.normalize();
    const right = this.#up.clone().cross(front);
    this.#sunDirection = sun
      ? new Vector3(...sun).normalize()
      : front.clone().multiplyScalar(0.5).addScaledVector(this.#up, 0.8).addScaledVector(right, -0.65).normalize();
    this.#scene = scene;
    this.#setting = setting;
    this.#plain = new HemisphereLight("#e8eef6", "#8a8680", 1.4 * levels.surroundings);
    this.#plain.position.copy(this.#up);
    scene.add(this.#plain);
    scene.environmentIntensity = levels.surroundings;
    scene.environmentRotation = new Euler().setFromRotationMatrix(new Matrix4().makeBasis(right, this.#up, front));
    this.#sun = new DirectionalLight(setting === "space" ? "#fffaf0" : "#fff3e0", levels.sun);
    this.#above = new DirectionalLight("#dfe9f5", levels.above);
    for (const [light, size, blur] of [
      [this.#sun, 2048, 2.5],
      [this.#above, 512, 7],
    ] as const) {
      light.castShadow = light === this.#sun || setting !== "space"; // without ground there is no contact to show
      light.shadow.mapSize.setScalar(size);
      light.shadow.radius = blur;
      scene.add(light, light.target);
    }
    this.follow([0, 0, 0], radius);
  }

  /** Reflections of the surroundings, or even light without them. Metal without reflections would be black, so it becomes matt. */
  setQuality(quality: Quality): void {
    if (quality === this.#quality) return;
    this.#quality = quality;
    const isFull = quality === "full";
    this.#scene.environment = isFull ? environment(this.#setting) : null;
    this.#plain.visible = !isFull;
    this.#scene.traverse((object) => {
      for (const material of [(object as Partial<Mesh>).material ?? []].flat()) {
        if (!(material instanceof MeshStandardMaterial)) continue;
        material.userData.metalness ??= material.metalness;
        material.metalness = isFull ? material.userData.metalness : 0;
      }
    });
  }

  /** Moves the shadows to the machine: a sphere around it, in the scene. */
  follow(centre: NumericVec3, radius: number): void {
    this.#radius = Math.max(this.#radius, radius); // a changing size would make the edges of shadows flicker
    const r = this.#radius;
    for (const [light, direction] of [
      [this.#sun, this.#sunDirection],
      [this.#above, this.#up],
    ] as const) {
      light.target.position.set(...centre);
      light.position.set(...centre).addScaledVector(direction, 3 * r);
      const { camera, mapSize } = light.shadow;
      light.shadow.bias = -0.0004;
      light.shadow.normalBias = (1.5 * 2 * r) / mapSize.x;
      if (camera.right !== r) {
        Object.assign(camera, { left: -r, right: r, bottom: -r, top: r, near: r, far: 5 * r });
        camera.updateProjectionMatrix();
      }
    }
  }
}

const [WIDTH, HEIGHT] = [128, 64];
const textures = new Map<SceneSetting, DataTexture>();

/** Radiance from all directions, as a map of the sphere with y upwards and the viewer at z. */
function environment(setting: SceneSetting): DataTexture {
  const known = textures.get(setting);
  if (known) return known;
  const data = new Uint16Array(4 * WIDTH * HEIGHT);
  const direction = new Vector3();
  for (let i = 0; i < WIDTH * HEIGHT; i++) {
    const [x, y] = [((i % WIDTH) + 0.5) / WIDTH, (Math.floor(i / WIDTH) + 0.5) / HEIGHT];
    const [azimuth, elevation] = [2 * Math.PI * (x - 0.5), Math.PI * (y - 0.5)];
    direction.set(Math.cos(elevation) * Math.cos(azimuth), Math.sin(elevation), Math.cos(elevation) * Math.sin(azimuth));
    const rgb = RADIANCE[setting](direction);
    for (const k of [0, 1, 2]) data[4 * i + k] = DataUtils.toHalfFloat(rgb[k]!);
    data[4 * i + 3] = DataUtils.toHalfFloat(1);
  }
  const texture = new DataTexture(data, WIDTH, HEIGHT);
  texture.type = HalfFloatType;
  texture.mapping = EquirectangularReflectionMapping;
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearFilter;
  texture.needsUpdate = true;
  textures.set(setting, texture);
  return texture;
}

const smooth = (from: number, to: number, x: number): number => {
  const t = Math.min(1, Math.max(0, (x - from) / (to - from)));
  return t * t * (3 - 2 * t);
};

const mixed = (a: readonly number[], b: readonly number[], t: number): number[] => a.map((v, k) => v + (b[k]! - v) * t);
const KEY = new Vector3(-0.65, 0.8, 0.5).normalize();
const FILL = new Vector3(0.9, 0.15, 0.25).normalize();
const BACK = new Vector3(0.1, 0.35, -0.9).normalize();

/** A soft lamp of the colour in a direction. */
const lamp = (d: Vector3, towards: Vector3, width: number, colour: readonly number[]): number[] => {
  const part = smooth(1 - width, 1 - 0.4 * width, d.dot(towards));
  return colour.map((v) => v * part);
};

const plus = (...terms: readonly (readonly number[])[]): number[] =>
  [0, 1, 2].map((k) => terms.reduce((sum, t) => sum + t[k]!, 0));

const RADIANCE: Readonly<Record<SceneSetting, (d: Vector3) => readonly number[]>> = {
  space: (d) =>
    plus(
      mixed([0.1, 0.14, 0.22], [0.045, 0.05, 0.065], smooth(-0.6, 0.4, d.y)), // blue light from below, as of a planet
      lamp(d, KEY, 0.3, [2.4, 2.3, 2.1]),
      lamp(d, FILL, 0.55, [0.9, 1, 1.2]),
      lamp(d, BACK, 0.25, [1.1, 1.15, 1.25]),
    ),
  day: (d) =>
    plus(
      d.y > 0
        ? mixed([1.15, 1.12, 1.05], [0.62, 0.78, 1.02], smooth(0, 0.7, d.y))
        : mixed([0.75, 0.7, 0.62], [0.42, 0.39, 0.34], smooth(0, -0.5, d.y)),
      lamp(d, KEY, 0.25, [4, 3.8, 3.4]),
    ),
  dusk: (d) =>
    plus(
      d.y > 0
        ? mixed([0.5, 0.5, 0.55], [0.16, 0.2, 0.3], smooth(0, 0.6, d.y))
        : mixed([0.28, 0.26, 0.24], [0.1, 0.1, 0.1], smooth(0, -0.5, d.y)),
      lamp(d, KEY, 0.3, [4, 3.8, 3.5]),
      lamp(d, FILL, 0.35, [0.5, 0.6, 0.8]),
    ),
};
