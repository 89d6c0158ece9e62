/** One degree of freedom of a model: its names, and its indices in q, in u and in its hinge. */
export interface Freedom {
  /** Name of its coordinate in the model ("elbow", "base.x"), or of its speed if it has no coordinate ("base.wx"). */
  readonly name: string;
  /** Name of its speed: "elbow", "base.vx". */
  readonly speedName: string;
  readonly hinge: string;
  /** Index of its speed among the speeds of the hinge, and in u. */
  readonly speedInHinge: number;
  readonly u: number;
  /** Index of its coordinate among those of the hinge, and in q. A turn of a ball has no coordinate of its own. */
  readonly coordinateInHinge: number | undefined;
  readonly q: number | undefined;
  /** For a turn of a ball: index of the first component of the quaternion in the hinge, and the axis of the turn. */
  readonly ball?: { readonly quaternion: number; readonly axis: 0 | 1 | 2 };
  /** "turn" if the coordinate is an angle, "slide" if it is a length. */
  readonly motion: "turn" | "slide";
}
