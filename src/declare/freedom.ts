/** A freedom of a model by name: where it stands in q and u, and in its hinge. */
export interface Freedom {
  /** The name of its coordinate in the model, "elbow", "base.x"; without one that of its speed, "base.wx". */
  readonly name: string;
  /** The name of its speed: "elbow", "base.vx". */
  readonly speedName: string;
  readonly hinge: string;
  /** Its speed within the hinge, and in u. */
  readonly speedInHinge: number;
  readonly u: number;
  /** Its coordinate within the hinge, and in q; a turn of a ball has none of its own. */
  readonly coordinateInHinge: number | undefined;
  readonly q: number | undefined;
  /** The ball that it is a turn of: where the quaternion starts within the hinge, and about which axis it turns. */
  readonly ball?: { readonly quaternion: number; readonly axis: 0 | 1 | 2 };
  /** Unit of its coordinate tells a turn from a slide. */
  readonly motion: "turn" | "slide";
}
