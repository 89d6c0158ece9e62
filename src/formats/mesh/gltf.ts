/** Reads glTF 2.0 files (.glb, .gltf): the triangles of a scene in its rest position. Cameras, materials and animations are ignored. */
import { LARGEST_TEXT } from "../document.ts";
import { GltfAccessors } from "./gltf-accessors.ts";
import { JsonValue } from "./json-value.ts";
import { IDENTITY, isMirrored, type NodeTransform, transformOf, transformPoint } from "./node-transform.ts";
import { checkTriangleCount, DAMAGED, meshError, type TriangleMesh, weldCorners } from "./triangle-mesh.ts";

/** Most nodes, and most parts of meshes in all nodes. */
const MOST_NODES = 100_000;
const MOST_PARTS = 100_000;
const MOST_MORPH_TARGETS = 200;

/**
 * @param readFile reads a buffer that the file names, by its path in the folder of `file`
 * @throws ModelError with the problem of the file and what to do.
 */
export function readGltf(bytes: Uint8Array, file: string, readFile: (path: string) => Uint8Array): TriangleMesh {
  const { json, binary } = isGlb(bytes) ? chunksOf(bytes, file) : { json: bytes };
  const root = new JsonValue(file, "", parseJson(json, file));
  checkVersion(root);
  checkExtensions(root);
  const accessors = new GltfAccessors(root, binary, bytes.length, readFile);
  const corners: number[] = [];
  let parts = 0;
  for (const { mesh, transform } of meshesInScene(root, accessors))
    for (const primitive of mesh.key("primitives").items()) {
      if (++parts > MOST_PARTS) primitive.refuse(`is part ${parts}, at most ${MOST_PARTS} are read`, "Join the meshes");
      addTriangles(primitive, accessors, transform, corners);
    }
  return weldCorners(Float64Array.from(corners), file);
}

const MAGIC = 0x46546c67;
const [JSON_CHUNK, BINARY_CHUNK] = [0x4e4f534a, 0x004e4942];

const wordOf = (bytes: Uint8Array, offset: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(offset, true);

const isGlb = (bytes: Uint8Array): boolean => bytes.length >= 4 && wordOf(bytes, 0) === MAGIC;

/** The parts of a .glb file: header of 12 bytes, then chunks with length and type. */
function chunksOf(bytes: Uint8Array, file: string): { readonly json: Uint8Array; readonly binary?: Uint8Array } {
  if (bytes.length < 20) throw meshError(file, `has only ${bytes.length} bytes`, DAMAGED);
  const [version, length] = [wordOf(bytes, 4), wordOf(bytes, 8)];
  if (version !== 2) throw meshError(file, `is glTF version ${version}, only 2 is read`, "Export it as glTF 2.0");
  if (length !== bytes.length)
    throw meshError(file, `its header says ${length} bytes, but the file has ${bytes.length} bytes`, DAMAGED);
  const chunks: { readonly type: number; readonly data: Uint8Array }[] = [];
  for (let offset = 12; offset < bytes.length; ) {
    const end = offset + 8 <= bytes.length ? offset + 8 + wordOf(bytes, offset) : Number.POSITIVE_INFINITY;
    if (end > bytes.length) throw meshError(file, `the chunk at byte ${offset} ends beyond the file`, DAMAGED);
    if (chunks.length < 2) chunks.push({ type: wordOf(bytes, offset + 4), data: bytes.subarray(offset + 8, end) });
    offset = end;
  }
  const [first, second] = chunks;
  if (first?.type !== JSON_CHUNK) throw meshError(file, "its first chunk is not JSON", DAMAGED);
  return { json: first.data, ...(second?.type === BINARY_CHUNK && { binary: second.data }) };
}

/** The JSON part has the limit of other documents, because its objects take many times the memory of its text. */
function parseJson(bytes: Uint8Array, file: string): unknown {
  if (bytes.length > LARGEST_TEXT)
    throw meshError(
      file,
      `its JSON has ${bytes.length} bytes, at most ${LARGEST_TEXT / 2 ** 20} MiB are read`,
      "Simplify the mesh, or export a .glb file",
    );
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    const message = error instanceof Error ? error.message.slice(0, 200) : String(error);
    throw meshError(file, `is not glTF: its JSON cannot be read: ${message}`, DAMAGED);
  }
  throw meshError(file, "is not glTF: its JSON is not an object", DAMAGED);
}

function checkVersion(root: JsonValue): void {
  const version = root.key("asset").key("version");
  const least = root.key("asset").key("minVersion");
  const isTwo = typeof version.value === "string" && /^2\.\d{1,9}$/.test(version.value);
  if (!isTwo || (least.isGiven && least.value !== "2.0"))
    (isTwo ? least : version).refuse("only glTF 2.0 is read", "Export it as glTF 2.0");
}

/** Extensions of materials, textures and lights do not change triangles; quantised positions are read. */
const READ_EXTENSIONS = /^(KHR_mesh_quantization|(KHR|EXT|MSFT)_(materials|texture|lights)_\w+)$/;
/** An extension that repeats meshes, although files name it only as used. */
const INSTANCING = "EXT_mesh_gpu_instancing";

function checkExtensions(root: JsonValue): void {
  for (const name of root.key("extensionsRequired").items())
    if (typeof name.value !== "string" || !READ_EXTENSIONS.test(name.value))
      name.refuse("this extension is required, but not read", "Export it without compression and extensions");
  for (const name of root.key("extensionsUsed").items())
    if (name.value === INSTANCING) name.refuse("repeated meshes are not read", "Export every copy as a node");
}

interface PlacedMesh {
  readonly mesh: JsonValue;
  readonly transform: NodeTransform;
}

/** Meshes of the nodes of the scene. Nodes must form a tree, so a node that is reached twice is refused. */
function* meshesInScene(root: JsonValue, accessors: GltfAccessors): Generator<PlacedMesh> {
  const nodes = root.key("nodes");
  if (nodes.length > MOST_NODES)
    throw meshError(root.file, `has ${nodes.length} nodes, at most ${MOST_NODES} are read`, "Join the nodes");
  const isReached = new Uint8Array(nodes.length);
  const open = rootNodes(root, accessors).map((index) => ({ index, parent: IDENTITY }));
  while (open.length > 0) {
    const { index, parent } = open.pop()!;
    const node = accessors.itemOf("nodes", index);
    const i = index.wholeNumber();
    if (isReached[i])
      index.refuse("this node is reached twice: nodes must form a tree without cycles", "Give every node one parent");
    isReached[i] = 1;
    const transform = transformOf(node, parent);
    const children = node.key("children");
    if (children.length > nodes.length) children.refuse(`there are only ${nodes.length} nodes`);
    for (let k = children.length - 1; k >= 0; k--) open.push({ index: children.item(k), parent: transform });
    if (!node.key("mesh").isGiven) continue;
    if (node.key("skin").isGiven)
      node.key("skin").refuse("a mesh that is deformed by a skin is not read", "Apply the skin, and export it again");
    const mesh = accessors.itemOf("meshes", node.key("mesh"));
    checkMorphing(mesh.key("weights"));
    checkMorphing(node.key("weights"));
    yield { mesh, transform };
  }
}

function checkMorphing(weights: JsonValue): void {
  if (weights.length > MOST_MORPH_TARGETS) weights.refuse(`has ${weights.length} items, at most ${MOST_MORPH_TARGETS} are read`);
  for (const weight of weights.items())
    if (weight.value !== 0)
      weight.refuse("a mesh that is deformed by morph targets is not read", "Apply them, and export it again");
}

/** Indices of the first nodes of the scene: the default one, or the first; all nodes without parent if there are no scenes. */
function rootNodes(root: JsonValue, accessors: GltfAccessors): JsonValue[] {
  const [scene, scenes, nodes] = [root.key("scene"), root.key("scenes"), root.key("nodes")];
  if (scene.isGiven || scenes.length > 0) {
    const chosen = scene.isGiven ? accessors.itemOf("scenes", scene) : scenes.item(0);
    const first = chosen.key("nodes");
    return first.length > nodes.length ? first.refuse(`there are only ${nodes.length} nodes`) : [...first.items()];
  }
  const hasParent = new Uint8Array(nodes.length);
  for (const node of nodes.items()) for (const child of node.key("children").items()) hasParent[child.wholeNumber()] = 1; // wrong indices are refused later
  const first = [...nodes.items()].flatMap(({ file, path }, i) => (hasParent[i] ? [] : [new JsonValue(file, path, i)]));
  return first.length === 0 && nodes.length > 0 ? nodes.refuse("every node has a parent: nodes must form a tree") : first;
}

const [TRIANGLES, STRIP, FAN] = [4, 5, 6];

/** Adds the corners of the triangles of a part of a mesh. Points and lines are ignored. */
function addTriangles(primitive: JsonValue, accessors: GltfAccessors, transform: NodeTransform, corners: number[]): void {
  const modeOfPart = primitive.key("mode");
  const mode = modeOfPart.wholeNumber(0, TRIANGLES);
  if (mode > FAN) modeOfPart.refuse("must be 0 to 6");
  const position = primitive.key("attributes").key("POSITION");
  if (mode < TRIANGLES || !position.isGiven) return;
  const positions = accessors.numbersOf(position, "position");
  const vertices = positions.length / 3;
  const listed = primitive.key("indices");
  const indices = listed.isGiven ? accessors.numbersOf(listed, "index") : undefined;
  const used = indices?.length ?? vertices;
  const triangles = mode === TRIANGLES ? used / 3 : used - 2;
  if (!Number.isInteger(triangles) || triangles < 1)
    primitive.refuse(`has ${used} corners in mode ${mode}, which are no triangles`);
  checkTriangleCount(corners.length / 9 + triangles, primitive.file);
  const mirrored = isMirrored(transform);
  const add = (k: number): void => {
    const vertex = indices ? indices[k]! : k;
    if (vertex >= vertices) listed.refuse(`index ${k} is ${vertex}, but there are only ${vertices} positions`);
    transformPoint(transform, positions, 3 * vertex, corners);
  };
  for (let k = 0; k < triangles; k++) {
    const [a, b, c] = cornersOf(mode, k);
    add(a);
    add(mirrored ? c : b);
    add(mirrored ? b : c);
  }
}

/** Corners of triangle k of a list, strip or fan [glTF 2.0, section 3.7.2.1]. */
function cornersOf(mode: number, k: number): readonly [number, number, number] {
  if (mode === STRIP) return [k, k + 1 + (k % 2), k + 2 - (k % 2)];
  return mode === FAN ? [k + 1, k + 2, 0] : [3 * k, 3 * k + 1, 3 * k + 2];
}
