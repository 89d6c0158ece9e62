/** Constants of the Earth and the Sun, with their sources. */

/** Gravitational parameter of the Earth, m³/s² [IERS Conventions 2010]. */
export const EARTH_MU = 3.986004418e14;
/** Equatorial radius of the Earth, m [IERS Conventions 2010]. */
export const EARTH_RADIUS = 6378136.6;
/** Dynamical form factor J2 of the Earth [IERS Conventions 2010]. */
export const EARTH_J2 = 1.0826359e-3;
/** Nominal angular velocity of the Earth, rad/s [IERS Conventions 2010]. */
export const EARTH_ROTATION_RATE = 7.292115e-5;

/** Magnetic field of the Earth's dipole at the magnetic equator, T: √(g₁₀² + g₁₁² + h₁₁²) of epoch 2020 [IGRF-13]. */
export const EARTH_EQUATOR_FIELD = 2.98059e-5;
/** Reference radius of the magnetic field, m [IGRF-13]. */
export const FIELD_REFERENCE_RADIUS = 6371200;

/** Total solar irradiance at 1 au, 1361 W/m² [Kopp and Lean 2011], over the speed of light: pressure on an absorbing surface, Pa. */
export const SOLAR_PRESSURE = 1361 / 299792458;
