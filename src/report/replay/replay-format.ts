/** The data of the player. */

/** Triangles of one colour. Numbers are base64 of little-endian arrays. */
export interface ReplayMesh {
  /** #rrggbb */
  readonly colour: string;
  /** 32-bit floats x, y, z of all corners, three corners per triangle. */
  readonly corners: string;
}

export interface ReplayCurve {
  readonly name: string;
  /** 32-bit floats. */
  readonly values: string;
}

export interface ReplayPlot {
  readonly title: string;
  readonly unit: string;
  /** 64-bit floats, s. */
  readonly times: string;
  readonly curves: readonly ReplayCurve[];
}

export interface ReplayData {
  readonly castorView: 1;
  readonly title: string;
  /** First and last time, s; the poses are equally spaced between them. */
  readonly from: number;
  readonly to: number;
  readonly samples: number;
  readonly bodies: readonly { readonly name: string; readonly meshes: readonly ReplayMesh[] }[];
  /** 32-bit floats, for each sample and body: position relative to `origin`, quaternion x, y, z, w. */
  readonly poses: string;
  readonly ground?: ReplayMesh;
  /** Upward direction. */
  readonly up: readonly [number, number, number];
  readonly plots: readonly ReplayPlot[];
}
