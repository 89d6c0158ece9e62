/** Reads meshes: STL, OBJ and glTF. */
import { checkText, refuseArgument } from "../../arguments.ts";
import { readGltf } from "./gltf.ts";
import { readObj } from "./obj.ts";
import { readStl } from "./stl.ts";
import { checkMeshSize, meshError, type TriangleMesh } from "./triangle-mesh.ts";

type MeshReader = (bytes: Uint8Array, path: string, readFile: (path: string) => Uint8Array) => TriangleMesh;

const READERS: Readonly<Record<string, MeshReader>> = { stl: readStl, obj: readObj, gltf: readGltf, glb: readGltf };

/** Extensions of mesh files. */
export const MESH_EXTENSIONS: readonly string[] = Object.keys(READERS).map((name) => `.${name}`);

/**
 * The triangles of a mesh file, in the units and axes of the file. Files are data: nothing in them is executed.
 * @param readFile reads the file, and the buffers of a .gltf file, by their paths
 * @throws ModelError with the problem of the file and what to do.
 */
export function readMesh(path: string, readFile: (path: string) => Uint8Array): TriangleMesh {
  checkText("path", path, "the path of a mesh");
  if (typeof readFile !== "function") refuseArgument("readFile", "a function that returns the bytes of a file", readFile);
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  if (!Object.hasOwn(READERS, extension))
    throw meshError(path, "is not a mesh file", `The name must end with ${MESH_EXTENSIONS.join(", ")}`);
  const checkedRead = (name: string): Uint8Array => {
    const content: unknown = readFile(name);
    return content instanceof Uint8Array ? content : refuseArgument("readFile", "a function that returns a Uint8Array", content);
  };
  const bytes = checkedRead(path);
  checkMeshSize(bytes.length, path);
  return READERS[extension]!(bytes, path, checkedRead);
}
