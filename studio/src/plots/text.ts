/** Numbers and units as the reports write them. */
export { numberText, powerOfTen, unitText } from "../../../src/report/numbers.ts";
