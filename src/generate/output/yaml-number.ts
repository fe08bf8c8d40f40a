/** A number in its JSON notation, for values that a JavaScript number would round or format differently. */
export class NumberSpelling {
  readonly spelling: string;

  constructor(spelling: string) {
    this.spelling = spelling;
  }
}

/** Formats a number in JSON notation: 64-bit integers in digits, others in Go's shortest form. */
export function writeNumber(spelling: string): string {
  if (/^-?[0-9]+$/.test(spelling)) {
    const value = BigInt(spelling);
    if (value >= -(2n ** 63n) && value < 2n ** 64n) return value.toString();
  }
  const number = Number(spelling);
  return Number.isFinite(number) ? shortest(number) : spelling;
}

/** Formats as `%g` with the minimum of significant digits: with an exponent below 1e-4 and from 1e6. */
function shortest(number: number): string {
  if (number === 0) return Object.is(number, -0) ? "-0" : "0";
  const [mantissa, power] = number.toExponential().split("e") as [string, string];
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(number);
  const sign = exponent < 0 ? "-" : "+";
  return `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, "0")}`;
}
