/** Surroundings: with gravity a ground with a grid, without gravity stars. */
import {
  AdditiveBlending,
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  Group,
  Mesh,
  PlaneGeometry,
  Points,
  PointsMaterial,
  ShaderMaterial,
  ShadowMaterial,
  Vector3,
} from "three";
import { bodyPointToWorld } from "../../geometry/body-points.ts";
import { roundNumberBelow, threeDigits } from "../../geometry/drawing.ts";
import type { Layer, LayerContext, LayerInstance, SceneFrame } from "../../layer.ts";
import { randomSequence } from "../../materials.ts";

export const surroundingsLayer: Layer = {
  id: "surroundings",
  title: "Surroundings",
  shownByDefault: true,
  create(context) {
    if (context.scenario.terrain) return undefined;
    return context.extent.gravity ? ground(context) : stars(context);
  },
};

const STARS = 1500;

/** Stars of different brightness and colour, the same every time. */
function stars({ extent, palette }: LayerContext): LayerInstance {
  const points = new Float32Array(3 * STARS);
  const colours = new Float32Array(3 * STARS);
  const random = randomSequence(7);
  const colour = new Color();
  for (let i = 0; i < STARS; i++) {
    const z = 2 * random() - 1;
    const angle = 2 * Math.PI * random();
    const r = Math.sqrt(1 - z * z);
    points.set(
      [r * Math.cos(angle), r * Math.sin(angle), z].map((x) => 60 * extent.radius * x),
      3 * i,
    );
    const brightness = 0.12 + 0.88 * random() ** 5; // few are bright
    colour.setHSL(random() < 0.5 ? 0.6 : 0.1, 0.25 * random(), 0.85).multiplyScalar(brightness);
    colours.set([colour.r, colour.g, colour.b], 3 * i);
  }
  const geometry = new BufferGeometry()
    .setAttribute("position", new BufferAttribute(points, 3))
    .setAttribute("color", new BufferAttribute(colours, 3));
  const material = new PointsMaterial({
    vertexColors: true,
    size: 2.2,
    sizeAttenuation: false,
    transparent: true,
    blending: AdditiveBlending,
    depthWrite: false,
    toneMapped: false,
  });
  material.color.set(palette.star);
  const object = new Points(geometry, material);
  object.frustumCulled = false;
  object.renderOrder = -4;
  return { object, update: () => {} };
}

/** Grid lines are one pixel wide everywhere and fade with the distance. */
const FRAGMENT = `
  varying vec2 place;
  uniform float spacing, reach;
  uniform vec3 colour;
  float lines(float every) {
    vec2 at = place / every;
    vec2 away = abs(fract(at - 0.5) - 0.5) / fwidth(at);
    return 1.0 - min(min(away.x, away.y), 1.0);
  }
  void main() {
    float fade = 1.0 - smoothstep(0.25, 1.0, length(place) / reach);
    float ink = max(0.35 * lines(spacing), 0.6 * lines(5.0 * spacing));
    gl_FragColor = vec4(colour, fade * (ink + 0.05));
    #include <colorspace_fragment>
  }
`;

const VERTEX = `
  varying vec2 place;
  void main() {
    place = position.xy;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }
`;

function ground(context: LayerContext): LayerInstance {
  const { extent, palette, motion } = context;
  const spacing = roundNumberBelow(extent.radius / 2.5);
  const reach = 7 * extent.radius;
  const material = new ShaderMaterial({
    uniforms: { spacing: { value: spacing }, reach: { value: reach }, colour: { value: new Color(palette.grid) } },
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    transparent: true,
    depthWrite: false,
    side: DoubleSide,
  });
  const plane = new Mesh(new PlaneGeometry(2 * reach, 2 * reach), material);
  plane.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), new Vector3(...extent.up));
  plane.renderOrder = -1;
  const shadow = new Mesh(plane.geometry, new ShadowMaterial({ opacity: palette.dark ? 0.5 : 0.3, depthWrite: false }));
  shadow.quaternion.copy(plane.quaternion);
  shadow.renderOrder = -2;
  shadow.receiveShadow = true;
  const height = (p: readonly number[]): number => p[0]! * extent.up[0] + p[1]! * extent.up[1] + p[2]! * extent.up[2];
  const lowestOfWorld = Math.min(...extent.worldSpheres.map(({ p, r }) => height(p) - r));
  const lowestIn = (poses: Float64Array): number =>
    Math.min(
      lowestOfWorld,
      ...extent.bodySpheres.flatMap((corners, body) => corners.map(({ p, r }) => height(bodyPointToWorld(poses, body, p)) - r)),
    );
  let lowest = Number.POSITIVE_INFINITY;
  const findLowest = ({ log, poses }: SceneFrame): void => {
    lowest = lowestIn(poses);
    const samples = log?.length ?? 0;
    for (let k = 0; k < Math.min(samples, 60); k++)
      lowest = Math.min(lowest, lowestIn(motion.atSample(Math.floor((k * samples) / Math.min(samples, 60))).poses));
  };
  return {
    object: new Group().add(shadow, plane),
    legend: () => `grid ${threeDigits(spacing)} m`,
    update(frame) {
      if (frame.logChanged || !Number.isFinite(lowest)) findLowest(frame);
      const base = extent.middle.map(
        (m, k) => m + (lowest - 0.004 * extent.radius - height(extent.middle)) * extent.up[k as 0 | 1 | 2],
      );
      plane.position.set(base[0]! - frame.origin[0]!, base[1]! - frame.origin[1]!, base[2]! - frame.origin[2]!);
      shadow.position.copy(plane.position);
    },
  };
}
