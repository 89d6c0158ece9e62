/** Draws an outline around the selected body: a picture of its silhouette, and the edge of that picture over the scene. */
import type { Model } from "castor";
import {
  BufferAttribute,
  BufferGeometry,
  Camera,
  Color,
  Mesh,
  MeshBasicMaterial,
  type PerspectiveCamera,
  Scene,
  ShaderMaterial,
  Vector2,
  type WebGLRenderer,
  WebGLRenderTarget,
} from "three";
import type { Selection } from "../state/state.ts";

/** Layer of three.js for the objects of the silhouette; the lights and the scene are on layer 0. */
const SILHOUETTE = 5;
/** Width of the outline, px. */
const WIDTH = 2.5;

const VERTEX = "varying vec2 place; void main() { place = 0.5 * position.xy + 0.5; gl_Position = vec4(position.xy, 0.0, 1.0); }";
const FRAGMENT = `
  varying vec2 place;
  uniform sampler2D silhouette;
  uniform vec2 reach;
  uniform vec3 colour;
  void main() {
    float near = 0.0;
    for (int k = 0; k < 16; k++) {
      float angle = 0.3927 * float(k);
      near += texture2D(silhouette, place + reach * vec2(cos(angle), sin(angle))).r;
    }
    float here = texture2D(silhouette, place).r;
    gl_FragColor = vec4(colour, smoothstep(0.5, 4.0, near) * (1.0 - here));
    #include <colorspace_fragment>
  }
`;

export class SelectionOutline {
  readonly #silhouette = new MeshBasicMaterial({ color: "#ffffff", toneMapped: false });
  readonly #target = new WebGLRenderTarget(1, 1);
  readonly #pass: ShaderMaterial;
  readonly #screen = new Scene();

  constructor() {
    const uniforms = {
      silhouette: { value: this.#target.texture },
      reach: { value: new Vector2() },
      colour: { value: new Color() },
    };
    const state = { transparent: true, depthTest: false, depthWrite: false, toneMapped: false };
    this.#pass = new ShaderMaterial({ uniforms, vertexShader: VERTEX, fragmentShader: FRAGMENT, ...state });
    const corners = new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]); // one triangle covers the picture
    const triangle = new Mesh(new BufferGeometry().setAttribute("position", new BufferAttribute(corners, 3)), this.#pass);
    triangle.frustumCulled = false;
    this.#screen.add(triangle);
  }

  /** Draws over a picture of the scene that the renderer has just drawn. A selected hinge means its body. */
  draw(
    renderer: WebGLRenderer,
    scene: Scene,
    camera: PerspectiveCamera,
    {
      selection,
      model,
      colour,
    }: { readonly selection: Selection | undefined; readonly model: Model | undefined; readonly colour: string },
  ): void {
    if (selection?.kind !== "body" && selection?.kind !== "hinge" && selection?.kind !== "loop") return;
    const name = selection.kind === "hinge" ? model?.bodies.find((b) => b.hinge.name === selection.name)?.name : selection.name;
    const key = selection.kind === "loop" ? "loop" : "body";
    let isFound = false;
    scene.traverse((object) => {
      object.layers.disable(SILHOUETTE);
      if (object.userData[key] !== name || !(object instanceof Mesh)) return;
      object.layers.enable(SILHOUETTE);
      isFound = true;
    });
    if (!isFound) return;
    const size = renderer.getDrawingBufferSize(new Vector2());
    this.#target.setSize(size.x, size.y);
    const { environment, overrideMaterial } = scene;
    const shadows = renderer.shadowMap.autoUpdate;
    const { mask } = camera.layers;
    renderer.shadowMap.autoUpdate = false;
    Object.assign(scene, { environment: null, overrideMaterial: this.#silhouette });
    camera.layers.set(SILHOUETTE);
    renderer.setRenderTarget(this.#target);
    renderer.clear();
    renderer.render(scene, camera);
    renderer.setRenderTarget(null);
    camera.layers.mask = mask;
    Object.assign(scene, { environment, overrideMaterial });
    renderer.shadowMap.autoUpdate = shadows;
    const { reach, colour: outline } = this.#pass.uniforms as { reach: { value: Vector2 }; colour: { value: Color } };
    const width = WIDTH * renderer.getPixelRatio();
    reach.value.set(width / size.x, width / size.y);
    outline.value.set(colour);
    const { autoClear } = renderer;
    renderer.autoClear = false;
    renderer.render(this.#screen, new Camera());
    renderer.autoClear = autoClear;
  }

  dispose(): void {
    this.#target.dispose();
    this.#pass.dispose();
    this.#silhouette.dispose();
  }
}
