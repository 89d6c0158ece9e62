/**
 * Contact of a wheel with the soil during one evaluation: angles, speeds and shear moduli. Angles θ are counted from the downward vertical,
 * positive towards the entry into the ground. The numbers are fields of one object, because doubles passed as arguments would be allocated.
 */

export class ContactPatch {
  /** Entry angle θf. */
  front = 0;
  sinFront = 0;
  cosFront = 0;
  /** Exit angle θr. */
  rear = 0;
  sinRear = 0;
  cosRear = 0;
  /** Angle θm of the greatest stress. */
  middle = 0;
  /** Speed of the rim, of the centre ahead and of the centre to the left, m/s. In reverse the first two are mirrored. */
  u = 0;
  v = 0;
  vy = 0;
  /** Depth that the grousers have dug, m. */
  dug = 0;
  /** 0 at rest to 1 from LOW_SPEED on. */
  speedBlend = 0;
  /** Reciprocals of the shear deformation moduli along and across, 1/m. */
  perKx = 0;
  perKy = 0;
  /** Factor |sin β| of the bulldozing force at the side of the wheel, 0 to 1. */
  bulldozing = 0;
  /** Points where the stresses are not smooth, ascending, as fractions of the way from a stress-free end to θm. */
  readonly breaks = new Float64Array(4);
  breakCount = 0;

  /** Adds the break at an angle. */
  addBreakAtAngle(theta: number): void {
    const { front, rear, middle } = this;
    this.addBreak(theta > middle ? (front - theta) / (front - middle) : (theta - rear) / (middle - rear));
  }

  /** Adds the break at a fraction of the way from a stress-free end to θm, if it is between 0 and 1. */
  addBreak(fraction: number): void {
    if (!(fraction > 0 && fraction < 1)) return;
    const breaks = this.breaks;
    let position = this.breakCount++;
    for (; position > 0 && breaks[position - 1]! > fraction; position--) breaks[position] = breaks[position - 1]!;
    breaks[position] = fraction;
  }
}
