/** The data of the player. */

/** Triangles of one colour. Numbers are base64 of little-endian arrays. */
export interface ReplayMesh {
  /** #rrggbb */
  readonly colour: string;
  /** Unit of the points, m. */
  readonly unit: number;
  /** 16-bit integers x, y, z of all points, in units. */
  readonly points: string;
  /** Unsigned 16-bit integers: indices of the three points of each triangle, counterclockwise seen from outside. */
  readonly triangles: string;
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
  /** Shapes that are fixed to the world, relative to `origin`. */
  readonly world?: readonly ReplayMesh[];
  /** A machine without gravity and ground is shown in front of a dark sky. */
  readonly isInSpace?: boolean;
  /** First view: its middle relative to `origin`, radius of what it shows, and angles of the direction to the viewer. */
  readonly view: {
    readonly centre: readonly [number, number, number];
    readonly radius: number;
    /** The view follows the mean position of the bodies. */
    readonly follows: boolean;
    /** About the vertical, and above the horizon, rad. */
    readonly azimuth: number;
    readonly elevation: number;
  };
  /** Upward direction. */
  readonly up: readonly [number, number, number];
  readonly plots: readonly ReplayPlot[];
}
