/** The version of Castor, as in package.json. Saved runs are continued by the same version only. */
export const VERSION = "0.1.0";
