/** Loads meshes from STL, OBJ and glTF files. */

import { readMesh } from "castor/formats";
import { Group, LoadingManager, Mesh, type Object3D } from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import type { ScenarioSource } from "../../files/scenario-sources.ts";
import { StudioError } from "../../state/studio-error.ts";
import { creasedGeometry } from "./creased-geometry.ts";

export async function loadMesh(file: string, source: ScenarioSource | undefined): Promise<Object3D> {
  const bytes = await bytesOf(file, source);
  try {
    return /\.(stl|obj)$/i.test(file) ? triangles(bytes, file) : await gltf(bytes, file, source);
  } catch (error) {
    throw new StudioError(`${file} cannot be drawn: ${(error as Error).message}`, { cause: error });
  }
}

/** A file of the user, by its path. If it was dropped without its folder, by its name, if only one file has it. */
function assetOf(file: string, source: ScenarioSource | undefined): ArrayBuffer | undefined {
  const { assets = {} } = source ?? {};
  if (Object.hasOwn(assets, file)) return assets[file];
  const paths = Object.keys(assets);
  const below = paths.filter((path) => path.endsWith(`/${file}`));
  const name = file.slice(file.lastIndexOf("/") + 1);
  const candidates = below.length > 0 ? below : paths.filter((path) => path === name || path.endsWith(`/${name}`));
  return candidates.length === 1 ? assets[candidates[0]!] : undefined;
}

const addressOf = (file: string, { name }: ScenarioSource): URL =>
  new URL(`scenarios/${[name, ...file.split("/")].map(encodeURIComponent).join("/")}`, document.baseURI);

async function bytesOf(file: string, source: ScenarioSource | undefined): Promise<ArrayBuffer> {
  const asset = assetOf(file, source);
  if (asset) return asset;
  if (!source?.builtIn) throw new StudioError(`${file} is missing among the opened files; drop it together with the model`);
  const response = await fetch(addressOf(file, source));
  if (!response.ok) throw new StudioError(`${file} cannot be fetched: the server answered ${response.status}`);
  return response.arrayBuffer();
}

function triangles(bytes: ArrayBuffer, file: string): Object3D {
  const mesh = new Mesh(creasedGeometry(readMesh(file, () => new Uint8Array(bytes))));
  mesh.userData.plain = true;
  return new Group().add(mesh);
}

/** Loads a glTF file. Its buffers and images are taken from the same source as the file, never from another address. */
async function gltf(bytes: ArrayBuffer, file: string, source: ScenarioSource | undefined): Promise<Object3D> {
  const folder = file.slice(0, file.lastIndexOf("/") + 1);
  const objectUrls: string[] = [];
  const missing: string[] = [];
  const manager = new LoadingManager().setURLModifier((address) => {
    if (/^(data|blob):/.test(address)) return address;
    const name = folder + decodeURIComponent(address);
    const asset = assetOf(name, source);
    if (asset === undefined && source?.builtIn) return addressOf(name, source).href;
    if (asset === undefined) missing.push(name);
    const url = URL.createObjectURL(new Blob(asset ? [asset] : []));
    objectUrls.push(url);
    return url;
  });
  try {
    const { scene } = await new GLTFLoader(manager).parseAsync(bytes, "");
    if (missing.length > 0) throw new StudioError("files that it names are missing");
    return scene;
  } catch (error) {
    if (missing.length === 0) throw error;
    throw new StudioError(`${missing.join(", ")} is missing among the opened files; drop it together with the model`, {
      cause: error,
    });
  } finally {
    for (const address of objectUrls) URL.revokeObjectURL(address);
  }
}
