/** Meshes from files: STL and glTF. */
import { BufferGeometry, Group, LoadingManager, Mesh, type Object3D } from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { STLLoader } from "three/addons/loaders/STLLoader.js";
import type { ScenarioSource } from "../../files/scenario-sources.ts";

export async function loadMesh(file: string, source: ScenarioSource | undefined): Promise<Object3D> {
  const bytes = await bytesOf(file, source);
  try {
    return /\.stl$/i.test(file) ? stl(bytes) : await gltf(bytes, file, source);
  } catch (error) {
    throw new Error(`${file} cannot be drawn: ${(error as Error).message}`, { cause: error });
  }
}

/** What the user gave: by its path, or by the end of it where only one file has that, e.g. dropped without its folder. */
function assetOf(file: string, source: ScenarioSource | undefined): ArrayBuffer | undefined {
  const { assets = {} } = source ?? {};
  if (Object.hasOwn(assets, file)) return assets[file];
  const paths = Object.keys(assets);
  const below = paths.filter((path) => path.endsWith(`/${file}`));
  const name = file.slice(file.lastIndexOf("/") + 1);
  const alike = below.length > 0 ? below : paths.filter((path) => path === name || path.endsWith(`/${name}`));
  return alike.length === 1 ? assets[alike[0]!] : undefined;
}

const addressOf = (file: string, { name }: ScenarioSource): URL =>
  new URL(`scenarios/${[name, ...file.split("/")].map(encodeURIComponent).join("/")}`, document.baseURI);

async function bytesOf(file: string, source: ScenarioSource | undefined): Promise<ArrayBuffer> {
  const given = assetOf(file, source);
  if (given) return given;
  if (!source?.builtIn) throw new Error(`${file} is not among the files here; drop it together with the model`);
  const answer = await fetch(addressOf(file, source));
  if (!answer.ok) throw new Error(`${file} cannot be fetched: ${answer.status}`);
  return answer.arrayBuffer();
}

function stl(bytes: ArrayBuffer): Object3D {
  const geometry: unknown = new STLLoader().parse(bytes);
  if (!(geometry instanceof BufferGeometry) || geometry.getAttribute("position").count === 0)
    throw new Error("it has no triangles");
  const mesh = new Mesh(geometry);
  mesh.userData.plain = true;
  return new Group().add(mesh);
}

/** Buffers and pictures that it names come from where it came from, and from nowhere else. */
async function gltf(bytes: ArrayBuffer, file: string, source: ScenarioSource | undefined): Promise<Object3D> {
  const place = file.slice(0, file.lastIndexOf("/") + 1);
  const made: string[] = [];
  const missing: string[] = [];
  const manager = new LoadingManager().setURLModifier((address) => {
    if (/^(data|blob):/.test(address)) return address;
    const name = place + decodeURIComponent(address);
    const given = assetOf(name, source);
    if (given === undefined && source?.builtIn) return addressOf(name, source).href;
    if (given === undefined) missing.push(name);
    const own = URL.createObjectURL(new Blob(given ? [given] : []));
    made.push(own);
    return own;
  });
  try {
    const { scene } = await new GLTFLoader(manager).parseAsync(bytes, "");
    if (missing.length > 0) throw new Error("parts of it are missing");
    return scene;
  } catch (error) {
    if (missing.length === 0) throw error;
    throw new Error(`${missing.join(", ")} is not among the files here; drop it together with the model`, { cause: error });
  } finally {
    for (const address of made) URL.revokeObjectURL(address);
  }
}
