/** Meshes from files: STL and glTF. */
import { BufferGeometry, Group, Mesh, type Object3D } from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { STLLoader } from "three/addons/loaders/STLLoader.js";
import type { Source } from "../library.ts";

export async function loadMesh(file: string, source: Source | undefined): Promise<Object3D> {
  const bytes = await bytesOf(file, source);
  try {
    return /\.stl$/i.test(file) ? stl(bytes) : await gltf(bytes);
  } catch (error) {
    throw new Error(`${file} cannot be drawn: ${(error as Error).message}`, { cause: error });
  }
}

async function bytesOf(file: string, source: Source | undefined): Promise<ArrayBuffer> {
  const given = source?.assets?.[file];
  if (given) return given;
  if (!source?.builtIn) throw new Error(`${file} is not among the files here; drop it together with the model`);
  const path = file.split("/").map(encodeURIComponent).join("/");
  const answer = await fetch(new URL(`scenarios/${encodeURIComponent(source.name)}/${path}`, document.baseURI));
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

async function gltf(bytes: ArrayBuffer): Promise<Object3D> {
  const { scene } = await new GLTFLoader().parseAsync(bytes, "");
  return scene;
}
