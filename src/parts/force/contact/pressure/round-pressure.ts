/**
 * Pressure of an elastic sphere, capsule or cylinder on a rigid solid. In axes of the elastic solid, with its axis z, radius R and half length b,
 * and with a modulus of 1, the pressure is
 *
 *   ball        p = (1 - r²/R²) / 2                   about the centre (sphere), or about the ends of the axis (capsule)
 *   cylinder    p = (1 - ρ²/R²) (1 - z²/b²) / 2,   and without the second factor between the ends of a capsule.             [1]
 *
 * So p is the depth divided by the radius (or the half length) near the surface. The faces of the rigid solid are integrated with points of Gauss:
 * in the plane of a face, v is at right angles to the axis and u to v. The section is |(v, a + k u)| <= R, and v = R sin t makes its ends smooth.
 * The panels in t end at corners of the face and where its sides cross the section. Along u three points are exact.
 *
 * The potential U = ∫ p dV over the overlap follows from the divergence theorem:
 *   ball        the field g(r) x with g = 1/6 - r²/(10 R²) - R³/(15 r³), which is zero on the surface: planar sectors in closed form, and
 *               4π R³/15 if the centre is inside of the rigid solid
 *   cylinder    the field along z, Q(z) (1 - ρ²/R²) with Q = ∫ from the lower end: the faces, and the section at the upper end.      [2]
 */
import { Clipper } from "./clipper.ts";
import type { PatchFinder } from "./patch-finder.ts";
import { PatchStore } from "./patch-store.ts";
import { PlacedSolid, type RigidSource } from "./placed-solid.ts";
import type { SolidPlace } from "./rigid-solid.ts";
import { SectionQuadrature, type SectionSink } from "./section-quadrature.ts";
import { sectorIntegral } from "./sector-integral.ts";

export interface RoundSolid {
  readonly radius: number;
  /** Half the length of the axis; 0 for a sphere. */
  readonly half: number;
  readonly ends: "round" | "flat";
  /** Its axis is z of this place. */
  readonly place: SolidPlace;
}

/** U / (N d) of a ball on a plane, and of a cylinder on its side and on its end. */
const ENERGY_SHARES = [1 / 3, 2 / 5, 1 / 2];

/** Where the half-spaces on both sides of the ends begin in `#ends`. */
const BELOW_TOP = 0;
const ABOVE_BOTTOM = 4;
const ABOVE_TOP = 8;
const BELOW_BOTTOM = 12;

export class RoundPressure implements PatchFinder, SectionSink {
  readonly depth: number;
  readonly form = "points";
  readonly energyShares = ENERGY_SHARES;
  readonly #radius: number;
  readonly #half: number;
  readonly #isFlat: boolean;
  /** Place of the solid on its body: R by rows, then the centre. */
  readonly #place: Float64Array;
  readonly #rigid: PlacedSolid;
  readonly #clipper: Clipper;
  /** Half-spaces on both sides of the planes at the ends of the axis. */
  readonly #ends: Float64Array;
  readonly #X = new Float64Array(12);
  /** Of the face that is integrated: its normal, its origin, directions of v and u, numbers a and k, pressure kind and centre on the axis. */
  readonly #face = new Float64Array(12);
  #centre = 0;
  #isBall = false;
  readonly #section: SectionQuadrature;
  /** The store of the present call. */
  #out = new PatchStore(1);

  constructor({ radius, half, ends, place }: RoundSolid, rigid: RigidSource) {
    this.#radius = radius;
    this.#half = half;
    this.#isFlat = ends === "flat";
    this.depth = this.#isFlat ? Math.min(radius, half) : radius;
    this.#place = Float64Array.from([...place.R.flat(), ...place.at]);
    this.#rigid = new PlacedSolid(rigid);
    this.#ends = Float64Array.from([0, 0, 1, half, 0, 0, -1, half, 0, 0, -1, -half, 0, 0, 1, -half]);
    const corners = rigid.largestFace + 4;
    this.#clipper = new Clipper(corners);
    this.#section = new SectionQuadrature(corners);
  }

  find(X: Float64Array, out: PatchStore): number {
    const rigid = this.#rigid;
    this.#placeAxes(X);
    if (!rigid.place(this.#X)) return 0;
    const gap = this.#separation();
    if (gap > 0) return -gap;
    this.#out = out;
    out.begin();
    const firstNode = out.nodeCount;
    const firstFace = out.faceCount;
    for (let j = 0; j < rigid.faceCount; j++) this.#addFace(j, out);
    const isCentreInside = rigid.contains(0, 0, 0);
    if (!(out.depth > 0)) {
      // No face of the rigid solid is inside: the elastic solid is outside or, with its whole potential and without a load, inside.
      out.cutBack(firstNode, firstFace);
      if (!isCentreInside) return 0;
    }
    if (isCentreInside) out.depth = this.depth;
    if (!this.#isFlat) this.#addCentres(out);
    out.place(this.#place, firstNode, firstFace);
    return out.depth;
  }

  /** #X = X place: the pose of the axes of [1] in axes of the rigid body. */
  #placeAxes(X: Float64Array): void {
    const P = this.#place;
    const Y = this.#X;
    for (let i = 0; i < 3; i++) {
      const x = X[3 * i]!;
      const y = X[3 * i + 1]!;
      const z = X[3 * i + 2]!;
      for (let c = 0; c < 3; c++) Y[3 * i + c] = x * P[c]! + y * P[3 + c]! + z * P[6 + c]!;
      Y[9 + i] = x * P[9]! + y * P[10]! + z * P[11]! + X[9 + i]!;
    }
  }

  /** Largest extent along a direction with the component nz along the axis. */
  #extent(nz: number): number {
    const along = this.#half * Math.abs(nz);
    return along + (this.#isFlat ? this.#radius * Math.sqrt(Math.max(0, 1 - nz * nz)) : this.#radius);
  }

  /** Largest distance by which a face of a convex rigid solid separates it from the elastic one; 0 if none does. */
  #separation(): number {
    const { pieceCount, pieceStart, piecePlanes } = this.#rigid;
    let gap = 0;
    if (pieceCount > 1) return gap;
    for (let k = 4 * pieceStart[0]!; k < 4 * pieceStart[1]!; k += 4) {
      const distance = -piecePlanes[k + 3]! - this.#extent(piecePlanes[k + 2]!);
      if (distance > gap) gap = distance;
    }
    return gap;
  }

  #addFace(j: number, out: PatchStore): void {
    const { facePlanes } = this.#rigid;
    const half = this.#half;
    const nx = facePlanes[4 * j]!;
    const ny = facePlanes[4 * j + 1]!;
    const nz = facePlanes[4 * j + 2]!;
    const offset = facePlanes[4 * j + 3]!;
    const isNear = Math.abs(offset) < this.#extent(nz);
    const hasCylinder = half > 0;
    if (!isNear && !(hasCylinder && this.#rigid.crossesHeight(j, half))) return;
    const clipper = this.#clipper;
    const ends = this.#ends;
    if (hasCylinder) {
      this.#takePolygon(j);
      const isLeft = clipper.clip(ends, BELOW_TOP);
      if (clipper.hasCut) this.#addUpperSection(out);
      if (isNear && isLeft && clipper.clip(ends, ABOVE_BOTTOM)) this.#addCylinderFace(nx, ny, nz, offset);
    }
    if (isNear && !this.#isFlat) {
      if (hasCylinder) {
        this.#takePolygon(j);
        if (clipper.clip(ends, ABOVE_TOP, true)) this.#addBallFace(nx, ny, nz, offset, half, out);
        this.#takePolygon(j);
        if (clipper.clip(ends, BELOW_BOTTOM, true)) this.#addBallFace(nx, ny, nz, offset, -half, out);
      } else {
        this.#takePolygon(j);
        this.#addBallFace(nx, ny, nz, offset, 0, out);
      }
    }
    out.endFace(nx, ny, nz);
  }

  #takePolygon(j: number): void {
    const { corners, faceStart, faceCorners } = this.#rigid;
    const clipper = this.#clipper;
    clipper.clear();
    for (let i = faceStart[j]!; i < faceStart[j + 1]!; i++) {
      const c = 3 * faceCorners[i]!;
      clipper.add(corners[c]!, corners[c + 1]!, corners[c + 2]!);
    }
  }

  /** Adds the side of the section of the rigid solid at the upper end that the last clip has made, the second part of [2]. */
  #addUpperSection(out: PatchStore): void {
    const { entry, exit } = this.#clipper;
    const R = this.#radius;
    const upper = this.#isFlat ? (2 / 3) * this.#half : this.#half;
    out.energy += upper * sectorIntegral(entry[0]!, entry[1]!, exit[0]!, exit[1]!, 0, R, 1, -1 / (R * R), 0);
  }

  /** Adds the polygon between the planes of both ends. */
  #addCylinderFace(nx: number, ny: number, nz: number, offset: number): void {
    const across = Math.sqrt(nx * nx + ny * ny);
    // v is along n × z; for a face at right angles to the axis, along x.
    if (across > 1e-9) this.#takeFace(nx, ny, nz, offset, 0, ny / across, -nx / across, 0);
    else this.#takeFace(nx, ny, nz, offset, 0, 1, 0, 0);
    // The direction z × v; the position along it is a + k u.
    const f = this.#face;
    const wx = -f[7]!;
    const wy = f[6]!;
    this.#section.a = f[3]! * wx + f[4]! * wy;
    this.#section.k = f[9]! * wx + f[10]! * wy;
    this.#section.radius = this.#radius;
    this.#isBall = false;
    this.#section.integrate(this);
  }

  /** Adds the polygon, as a face against the ball about the point z of the axis. */
  #addBallFace(nx: number, ny: number, nz: number, offset: number, z: number, out: PatchStore): void {
    const R = this.#radius;
    const h = offset - nz * z;
    if (!(h * h < R * R)) return;
    const isAcross = Math.abs(nx) < 0.6;
    const length = Math.sqrt((isAcross ? ny * ny : nx * nx) + nz * nz);
    if (isAcross) this.#takeFace(nx, ny, nz, h, z, 0, nz / length, -ny / length);
    else this.#takeFace(nx, ny, nz, h, z, -nz / length, 0, nx / length);
    this.#section.a = 0;
    this.#section.k = 1;
    this.#section.radius = Math.sqrt((R - h) * (R + h));
    this.#isBall = true;
    this.#section.integrate(this);
    const { count } = this.#clipper;
    const { v, u } = this.#section;
    let energy = 0;
    for (let i = 0; i < count; i++) {
      const j = i + 1 === count ? 0 : i + 1;
      energy += sectorIntegral(v[i]!, u[i]!, v[j]!, u[j]!, h, this.#section.radius, 1 / 6, -0.1 / (R * R), (-R * R * R) / 15);
    }
    out.energy += energy;
  }

  /** Adds the constant of [2] for each end of the axis (with half a ball) or centre that is inside of the rigid solid. */
  #addCentres(out: PatchStore): void {
    const R = this.#radius;
    const whole = (4 * Math.PI * R * R * R) / 15;
    const half = this.#half;
    if (half === 0) out.energy += this.#rigid.contains(0, 0, 0) ? whole : 0;
    else out.energy += 0.5 * whole * (Number(this.#rigid.contains(0, 0, half)) + Number(this.#rigid.contains(0, 0, -half)));
  }

  /** Keeps normal n, the directions of v and u = n × v, and the origin of the face: its foot point from the point z of the axis. */
  #takeFace(nx: number, ny: number, nz: number, h: number, z: number, ex: number, ey: number, ez: number): void {
    const f = this.#face;
    f[0] = nx;
    f[1] = ny;
    f[2] = nz;
    f[3] = h * nx;
    f[4] = h * ny;
    f[5] = h * nz + z;
    f[6] = ex;
    f[7] = ey;
    f[8] = ez;
    f[9] = ny * ez - nz * ey;
    f[10] = nz * ex - nx * ez;
    f[11] = nx * ey - ny * ex;
    this.#centre = z;
    const { points: p, count } = this.#clipper;
    const { v, u } = this.#section;
    this.#section.count = count;
    this.#section.middle = f[11] === 0 ? 0 : -f[5]! / f[11]!;
    for (let i = 0; i < count; i++) {
      const x = p[3 * i]! - f[3]!;
      const y = p[3 * i + 1]! - f[4]!;
      const w = p[3 * i + 2]! - f[5]!;
      v[i] = x * ex + y * ey + w * ez;
      u[i] = x * f[9]! + y * f[10]! + w * f[11]!;
    }
  }

  /** Adds a point of the face with its share of the area. */
  addPoint(v: number, u: number, area: number): void {
    const out = this.#out;
    const f = this.#face;
    const R = this.#radius;
    const x = f[3]! + v * f[6]! + u * f[9]!;
    const y = f[4]! + v * f[7]! + u * f[10]!;
    const z = f[5]! + v * f[8]! + u * f[11]!;
    out.area += area;
    if (this.#isBall) {
      const w = z - this.#centre;
      out.addNode(x, y, z, Math.max(0, 0.5 * (1 - (x * x + y * y + w * w) / (R * R)) * area));
      return;
    }
    const p = Math.max(0, 0.5 * (1 - (x * x + y * y) / (R * R)) * area);
    const b = this.#half;
    if (this.#isFlat) {
      out.addNode(x, y, z, p * Math.max(0, 1 - (z * z) / (b * b)));
      out.energy += f[2]! * p * (z + b - (z * z * z + b * b * b) / (3 * b * b));
    } else {
      out.addNode(x, y, z, p);
      out.energy += f[2]! * p * (z + b);
    }
  }

  /** Takes the depth at a point of the face, if it is the largest. */
  takeDepthAt(v: number, u: number): void {
    const out = this.#out;
    const f = this.#face;
    const x = f[3]! + v * f[6]! + u * f[9]!;
    const y = f[4]! + v * f[7]! + u * f[10]!;
    const z = f[5]! + v * f[8]! + u * f[11]!;
    const w = this.#isBall ? z - this.#centre : 0;
    const beside = this.#radius - Math.sqrt(x * x + y * y + w * w);
    const depth = this.#isFlat ? Math.min(beside, this.#half - Math.abs(z)) : beside;
    if (depth > out.depth) out.depth = depth;
  }
}
