/** Buffers, views and accessors of a glTF file. Every offset and count is checked before anything is read or allocated. */
import { ModelError } from "../../errors.ts";
import { fromBase64 } from "../plain-data-json.ts";
import type { JsonValue } from "./json-value.ts";
import { checkMeshSize, checkVertexCount, MOST_VERTICES } from "./triangle-mesh.ts";

/** Component types by their numbers. Normalised integers are shares of `largest`. */
const COMPONENTS: ReadonlyMap<unknown, Component> = new Map([
  [5120, { bytes: 1, read: "getInt8", largest: 127 }],
  [5121, { bytes: 1, read: "getUint8", largest: 255 }],
  [5122, { bytes: 2, read: "getInt16", largest: 32767 }],
  [5123, { bytes: 2, read: "getUint16", largest: 65535 }],
  [5125, { bytes: 4, read: "getUint32" }],
  [5126, { bytes: 4, read: "getFloat32" }],
]);

interface Component {
  readonly bytes: number;
  readonly read: "getInt8" | "getUint8" | "getInt16" | "getUint16" | "getUint32" | "getFloat32";
  readonly largest?: number;
}

/** What an accessor must contain: type, numbers per element, component types. */
const CONTENTS = {
  position: { type: "VEC3", size: 3, components: [5120, 5121, 5122, 5123, 5126] },
  index: { type: "SCALAR", size: 1, components: [5121, 5123, 5125] },
} as const;

type ElementKind = (typeof CONTENTS)[keyof typeof CONTENTS];

function componentOf(source: JsonValue, allowed: readonly number[]): Component {
  const type = source.key("componentType");
  const component = COMPONENTS.get(type.value);
  return component && allowed.includes(type.value as number) ? component : type.refuse(`must be ${allowed.join(", ")}`);
}

export class GltfAccessors {
  readonly #root: JsonValue;
  readonly #binary: Uint8Array | undefined;
  readonly #readFile: (path: string) => Uint8Array;
  readonly #buffers = new Map<number, Uint8Array>();
  readonly #read = new Map<string, Float64Array>();
  /** Bytes of all files that were read. */
  #bytes: number;
  /** Elements of all accessors that were read. */
  #elements = 0;

  /**
   * @param binary binary part of a .glb file
   * @param bytes size of the file
   */
  constructor(root: JsonValue, binary: Uint8Array | undefined, bytes: number, readFile: (path: string) => Uint8Array) {
    this.#root = root;
    this.#binary = binary;
    this.#bytes = bytes;
    this.#readFile = readFile;
  }

  /** The item of a list that an index refers to. */
  itemOf(list: "scenes" | "nodes" | "meshes" | "accessors" | "bufferViews" | "buffers", index: JsonValue): JsonValue {
    const items = this.#root.key(list);
    const i = index.wholeNumber();
    return i < items.length ? items.item(i) : index.refuse(`there are only ${items.length} ${list}`);
  }

  /** Numbers of an accessor. They are read once. */
  numbersOf(index: JsonValue, name: keyof typeof CONTENTS): Float64Array {
    const key = `${name} ${index.wholeNumber()}`;
    const known = this.#read.get(key);
    if (known) return known;
    const numbers = this.#readAccessor(this.itemOf("accessors", index), CONTENTS[name]);
    this.#read.set(key, numbers);
    return numbers;
  }

  #readAccessor(accessor: JsonValue, content: ElementKind): Float64Array {
    const type = accessor.key("type");
    if (type.value !== content.type) type.refuse(`must be ${content.type}`);
    const component = componentOf(accessor, content.components);
    const count = accessor.key("count").wholeNumber(1);
    this.#elements += count;
    checkVertexCount(count, accessor.file);
    if (this.#elements > 2 * MOST_VERTICES)
      accessor.key("count").refuse(`all accessors together have more than ${2 * MOST_VERTICES} elements`, "Simplify the mesh");
    const numbers = new Float64Array(count * content.size);
    if (accessor.key("bufferView").isGiven) this.#readElements(accessor, component, content.size, count, numbers);
    const sparse = accessor.key("sparse");
    if (sparse.isGiven) this.#readSparse(sparse, component, content.size, numbers);
    const normalized = accessor.key("normalized");
    if (normalized.value === true) {
      const { largest } = component;
      if (largest === undefined) return normalized.refuse("only components of 8 and 16 bits can be normalized");
      for (let i = 0; i < numbers.length; i++) numbers[i] = Math.max(numbers[i]! / largest, -1);
    }
    return numbers;
  }

  /** Replaces single elements of an accessor by others. */
  #readSparse(sparse: JsonValue, component: Component, size: number, numbers: Float64Array): void {
    const countOfSparse = sparse.key("count");
    const count = countOfSparse.wholeNumber(1);
    if (count > numbers.length / size) countOfSparse.refuse(`the accessor has only ${numbers.length / size} elements`);
    const indices = new Float64Array(count);
    const at = sparse.key("indices");
    this.#readElements(at, componentOf(at, CONTENTS.index.components), 1, count, indices);
    const values = new Float64Array(count * size);
    this.#readElements(sparse.key("values"), component, size, count, values);
    for (let k = 0; k < count; k++) {
      const i = indices[k]!;
      if (i >= numbers.length / size || (k > 0 && i <= indices[k - 1]!))
        at.refuse(`index ${k} is ${i}: indices must increase and be below ${numbers.length / size}`);
      numbers.set(values.subarray(k * size, k * size + size), i * size);
    }
  }

  /** Reads elements from the view and offset that `source` names. */
  #readElements(source: JsonValue, component: Component, size: number, count: number, numbers: Float64Array): void {
    const view = this.itemOf("bufferViews", source.key("bufferView"));
    const offset = source.key("byteOffset").wholeNumber(0, 0);
    const elementBytes = size * component.bytes;
    const strideOfView = view.key("byteStride");
    const stride = strideOfView.wholeNumber(1, elementBytes);
    if (stride < elementBytes) strideOfView.refuse(`an element has ${elementBytes} bytes`);
    const bytes = this.#bytesOf(view);
    const needed = offset + (count - 1) * stride + elementBytes;
    if (needed > bytes.length) source.refuse(`needs ${needed} bytes of ${view.path}, which has ${bytes.length} bytes`);
    const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let k = 0; k < count; k++)
      for (let i = 0; i < size; i++)
        numbers[k * size + i] = data[component.read](offset + k * stride + i * component.bytes, true);
  }

  #bytesOf(view: JsonValue): Uint8Array {
    const buffer = this.#bufferOf(view.key("buffer"));
    const offset = view.key("byteOffset").wholeNumber(0, 0);
    const length = view.key("byteLength").wholeNumber(1);
    if (offset + length <= buffer.length) return buffer.subarray(offset, offset + length);
    return view.refuse(`ends at byte ${offset + length} of a buffer of ${buffer.length} bytes`);
  }

  #bufferOf(index: JsonValue): Uint8Array {
    const buffer = this.itemOf("buffers", index);
    const i = index.wholeNumber();
    const known = this.#buffers.get(i);
    if (known) return known;
    const length = buffer.key("byteLength").wholeNumber(1);
    const uri = buffer.key("uri");
    const isFile = typeof uri.value === "string" && !uri.value.startsWith("data:");
    const bytes = uri.isGiven || i > 0 || !this.#binary ? this.#readUri(uri) : this.#binary;
    if (isFile) this.#bytes += bytes.length;
    checkMeshSize(this.#bytes, buffer.file);
    if (bytes.length < length) buffer.key("byteLength").refuse(`the buffer has only ${bytes.length} bytes`);
    const own = bytes.subarray(0, length);
    this.#buffers.set(i, own);
    return own;
  }

  #readUri(uri: JsonValue): Uint8Array {
    const { value, file } = uri;
    if (typeof value !== "string") return uri.refuse("a buffer needs the name of its file, or its data");
    if (value.startsWith("data:")) {
      const start = value.indexOf(",") + 1;
      const isBase64 = start > 0 && value.slice(0, start).endsWith(";base64,");
      return (isBase64 && fromBase64(value.slice(start))) || uri.refuse("data in the file must be base64");
    }
    const path = decodedPath(value);
    if (path === undefined) return uri.refuse("is not a valid path", "Write % as %25");
    // Neither an address nor an absolute path, and not out of the folder.
    if (/^[a-z][a-z\d+.-]*:|^[\\/]|(^|[\\/])\.\.([\\/]|$)/i.test(path))
      return uri.refuse(
        "must be a path relative to the file, in its folder",
        "Put the buffer beside the file, or export a .glb file",
      );
    try {
      return this.#readFile(file.slice(0, file.lastIndexOf("/") + 1) + path);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      const reason = error.problems.map(({ message }) => message).join(", ");
      return uri.refuse(`the buffer cannot be read: ${reason}`, "Put it beside the file, or export a .glb file");
    }
  }
}

function decodedPath(uri: string): string | undefined {
  try {
    return decodeURIComponent(uri);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
