/** Arithmetic over `Scalar`, the namespace `scalar` of castor/kernel: with numbers it computes, with expressions it records. */

export { abs, add, cos, div, isNumber, max, min, mul, neg, select, sin, sqrt, square, sub, sum } from "./trace/scalar.ts";
