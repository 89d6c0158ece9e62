/** Text of numbers and units, as in the reports. */
export { numberText, powerOfTen, unitText } from "castor/report";
