/**
 * Contact patches of solids. A patch is a set of points on the surface of the rigid solid, inside of the elastic one. Each has a weight: the
 * pressure there, divided by the modulus, times its share of the area. Where the pressure is linear, three points are the corners of a triangle, and the
 * weight of each is the integral of pressure times barycentric coordinate. Points of one face of the rigid solid have one normal. Everything is in axes of
 * the elastic solid. The store keeps the patches of all touching pairs; it grows if it must and allocates nothing else.
 */

/** Numbers of a point: position, weight. */
export const PER_NODE = 4;
/** Numbers of a face: outward normal of the rigid solid, number of the first point after its last. */
export const PER_FACE = 4;

const FIRST_NODES = 512;
const NODES_PER_FACE = 8;

export class PatchStore {
  /** Points and faces of all patches, one after the other. */
  nodes: Float64Array;
  faces: Float64Array;
  nodeCount = 0;
  faceCount = 0;
  /** Energy, depth and area, in an array: numbers with a fraction that a field takes are allocated. */
  readonly #totals = new Float64Array(3);

  /** @param nodes the number of points before it grows */
  constructor(nodes = FIRST_NODES) {
    this.nodes = new Float64Array(PER_NODE * nodes);
    this.faces = new Float64Array(PER_FACE * Math.ceil(nodes / NODES_PER_FACE));
  }

  /** Of the last patch: its potential divided by the modulus, its largest depth, and its area. */
  get energy(): number {
    return this.#totals[0]!;
  }
  set energy(energy: number) {
    this.#totals[0] = energy;
  }
  get depth(): number {
    return this.#totals[1]!;
  }
  set depth(depth: number) {
    this.#totals[1] = depth;
  }
  get area(): number {
    return this.#totals[2]!;
  }
  set area(area: number) {
    this.#totals[2] = area;
  }

  clear(): void {
    this.nodeCount = 0;
    this.faceCount = 0;
  }

  /** Forgets everything after a number of points and faces. */
  cutBack(nodes: number, faces: number): void {
    this.nodeCount = nodes;
    this.faceCount = faces;
  }

  /** Starts a patch. */
  begin(): void {
    this.energy = 0;
    this.depth = 0;
    this.area = 0;
  }

  addNode(x: number, y: number, z: number, weight: number): void {
    const i = PER_NODE * this.nodeCount++;
    if (i === this.nodes.length) this.nodes = enlarged(this.nodes);
    const { nodes } = this;
    nodes[i] = x;
    nodes[i + 1] = y;
    nodes[i + 2] = z;
    nodes[i + 3] = weight;
  }

  /** Gives all points since the last face this normal. */
  endFace(x: number, y: number, z: number): void {
    const i = PER_FACE * this.faceCount;
    const last = this.faceCount === 0 ? 0 : this.faces[i - 1]!;
    if (this.nodeCount === last) return;
    if (i === this.faces.length) this.faces = enlarged(this.faces);
    this.faceCount++;
    const { faces } = this;
    faces[i] = x;
    faces[i + 1] = y;
    faces[i + 2] = z;
    faces[i + 3] = this.nodeCount;
  }

  /** Changes the axes of all points and normals from these on: P has the new axes' rotation by rows, then the position. */
  place(P: Float64Array, firstNode: number, firstFace: number): void {
    rotateRows(P, this.nodes, PER_NODE * firstNode, PER_NODE * this.nodeCount, true);
    rotateRows(P, this.faces, PER_FACE * firstFace, PER_FACE * this.faceCount, false);
  }
}

function rotateRows(P: Float64Array, values: Float64Array, from: number, to: number, isPoint: boolean): void {
  for (let i = from; i < to; i += 4) {
    const x = values[i]!;
    const y = values[i + 1]!;
    const z = values[i + 2]!;
    for (let r = 0; r < 3; r++) values[i + r] = P[3 * r]! * x + P[3 * r + 1]! * y + P[3 * r + 2]! * z + (isPoint ? P[9 + r]! : 0);
  }
}

function enlarged(values: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * values.length);
  larger.set(values);
  return larger;
}
