/** The sky of a scenario with an orbit: the Earth with its limb, day and night, and the Sun. */
import type { NumericVec3 } from "castor/model";
import type { Scenario } from "castor/scenario";
import type { SkyView } from "castor/sim";
import { BackSide, Mesh, ShaderMaterial, SphereGeometry, Vector3 } from "three";
import type { Layer, SceneFrame } from "../../layer.ts";
import { channelVectorAt } from "../../motion/channel-values.ts";

/** What the force elements of a scenario assume about the sky. */
export function skyOf({ forces }: Scenario): SkyView {
  const views = forces.flatMap(({ sky }) => (sky ? [sky] : []));
  const [sun, earth] = [views.find((v) => v.sun)?.sun, views.find((v) => v.earth)?.earth];
  return { ...(sun && { sun }), ...(earth && { earth }) };
}

/** Direction to the Sun if no element gives one. */
const DEFAULT_SUN: NumericVec3 = [0.6, -0.5, 0.62];

export const skyLayer: Layer = {
  id: "sky",
  title: "Earth and Sun",
  shownByDefault: true,
  create({ scenario, extent }) {
    const { sun = DEFAULT_SUN, earth } = skyOf(scenario);
    if (earth === undefined) return undefined;
    const uniforms = { earth: { value: new Vector3(0, 0, -1e3) }, sun: { value: new Vector3(...sun).normalize() } };
    const material = new ShaderMaterial({
      uniforms,
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      side: BackSide,
      transparent: true,
      depthWrite: false,
    });
    const object = new Mesh(new SphereGeometry(20 * extent.radius, 24, 12), material);
    object.frustumCulled = false;
    object.renderOrder = -3; // over the stars, behind everything else
    object.onBeforeRender = (_renderer, _scene, camera) => {
      object.position.setFromMatrixPosition(camera.matrixWorld);
      object.updateMatrixWorld();
    };
    return {
      object,
      directions: () => [
        { name: "Sun", to: uniforms.sun.value.toArray() },
        { name: "Earth", to: uniforms.earth.value.toArray() },
      ],
      update(frame) {
        const centre = massCentreAt(scenario, frame);
        const place = earth.originAt(frame.t).map((x, k) => x + frame.origin[k]! + centre[k as 0]);
        uniforms.earth.value.set(-place[0]! / earth.radius, -place[1]! / earth.radius, -place[2]! / earth.radius);
      },
    };
  },
};

/** The mass centre in the world, in mass-centre coordinates; otherwise zero. */
function massCentreAt({ massCentre }: Scenario, { t, log }: SceneFrame): NumericVec3 {
  if (massCentre === undefined) return [0, 0, 0];
  const recorded = log && channelVectorAt(log, ["mass-centre.x", "mass-centre.y", "mass-centre.z"], t);
  return recorded ?? (massCentre.position as NumericVec3);
}

const VERTEX = `
  varying vec3 direction;
  void main() {
    direction = position;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
    gl_Position.z = 0.999999 * gl_Position.w; // behind everything
  }
`;

/** Rays from the camera meet the Earth, a sphere of radius 1 at `earth`, or pass through the air above its limb. */
const FRAGMENT = `
  varying vec3 direction;
  uniform vec3 earth, sun;
  float hash(vec3 p) { return fract(sin(dot(p, vec3(127.1, 311.7, 74.7))) * 43758.5453); }
  float noise(vec3 p) {
    vec3 i = floor(p), f = fract(p);
    f = f * f * (3.0 - 2.0 * f);
    return mix(
      mix(mix(hash(i), hash(i + vec3(1, 0, 0)), f.x), mix(hash(i + vec3(0, 1, 0)), hash(i + vec3(1, 1, 0)), f.x), f.y),
      mix(mix(hash(i + vec3(0, 0, 1)), hash(i + vec3(1, 0, 1)), f.x), mix(hash(i + vec3(0, 1, 1)), hash(i + vec3(1, 1, 1)), f.x), f.y),
      f.z);
  }
  float relief(vec3 p) {
    float sum = 0.0, weight = 0.5;
    for (int k = 0; k < 4; k++) { sum += weight * noise(p); p = 2.03 * p + 1.7; weight *= 0.5; }
    return sum;
  }
  void main() {
    vec3 d = normalize(direction);
    float along = dot(d, earth), closest = dot(earth, earth) - along * along;
    vec3 colour = vec3(0.0);
    float cover = 0.0;
    if (along > 0.0 && closest < 1.0) {
      vec3 n = d * (along - sqrt(1.0 - closest)) - earth;
      float light = dot(n, sun), day = smoothstep(-0.12, 0.3, light);
      float height = relief(4.0 * n + 3.0) + 0.16 * (relief(70.0 * n) - 0.5);
      float land = smoothstep(0.5, 0.56, height);
      vec3 ground = mix(vec3(0.012, 0.05, 0.13), mix(vec3(0.06, 0.11, 0.04), vec3(0.28, 0.21, 0.12), 3.0 * height - 1.5), land);
      float clouds = smoothstep(0.44, 0.7, relief(9.0 * n + 2.0 * noise(7.0 * n)) + 0.55 * (relief(90.0 * n) - 0.47));
      colour = mix(ground, vec3(0.85), 0.9 * clouds) * (0.04 * day + 0.85 * max(light, 0.0));
      float glint = pow(max(dot(reflect(-sun, n), -d), 0.0), 60.0) * (1.0 - land) * (1.0 - clouds);
      colour += glint * vec3(0.5, 0.45, 0.35) * day;
      float haze = pow(1.0 + dot(n, d), 5.0);
      colour = mix(colour, vec3(0.25, 0.5, 0.95) * day, 0.85 * haze + 0.03);
      cover = 1.0;
    } else {
      float s = dot(d, sun);
      colour = vec3(1.0, 0.96, 0.88) * (6.0 * smoothstep(0.99985, 0.9999, s) + 0.9 * pow(max(s, 0.0), 900.0) + 0.1 * pow(max(s, 0.0), 40.0));
      if (along > 0.0) {
        float height = sqrt(closest) - 1.0;
        float day = smoothstep(-0.15, 0.25, dot(normalize(d * along - earth), sun));
        colour += day * (vec3(0.3, 0.6, 1.0) * exp(-height * 90.0) + vec3(0.1, 0.2, 0.4) * exp(-height * 25.0));
      }
      cover = clamp(max(colour.r, max(colour.g, colour.b)), 0.0, 1.0);
    }
    gl_FragColor = vec4(colour, cover);
    #include <tonemapping_fragment>
    #include <colorspace_fragment>
  }
`;
