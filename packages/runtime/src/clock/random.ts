import { randomUUID } from "node:crypto";

/** A source of numbers in [0, 1), for jitter and identifiers. Everything that draws lots receives one, so that a run can be repeated. */
export type Random = () => number;

/** The random numbers of the machine. */
export const systemRandom: Random = () => Math.random();

/**
 * Creates a UUID of version 4.
 *
 * @param random - source of the digits; the system's secure one by default
 * @returns the UUID
 */
export function uuid(random: Random = systemRandom): string {
  if (random === systemRandom) return randomUUID();
  const digits = Array.from({ length: 32 }, (_, index) => {
    const digit = Math.floor(random() * 16);
    if (index === 12) return "4";
    return (index === 16 ? (digit & 3) | 8 : digit).toString(16);
  }).join("");
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join(
    "-",
  );
}
