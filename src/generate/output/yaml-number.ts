/** A number by its spelling in JSON, for values that a JavaScript number would round or respell. */
export class NumberSpelling {
  readonly spelling: string;

  constructor(spelling: string) {
    this.spelling = spelling;
  }
}

/** Writes a number that is spelled as in JSON: whole ones of 64 bits in digits, others in Go's shortest form. */
export function writeNumber(spelling: string): string {
  if (/^-?[0-9]+$/.test(spelling)) {
    const value = BigInt(spelling);
    if (value >= -(2n ** 63n) && value < 2n ** 64n) return value.toString();
  }
  const number = Number(spelling);
  return Number.isFinite(number) ? shortest(number) : spelling;
}

/** `%g` with as few digits as tell the number apart: an exponent below 1e-4 and from 1e6 on. */
function shortest(number: number): string {
  if (number === 0) return Object.is(number, -0) ? "-0" : "0";
  const [mantissa, power] = number.toExponential().split("e") as [string, string];
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(number);
  const sign = exponent < 0 ? "-" : "+";
  return `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, "0")}`;
}
