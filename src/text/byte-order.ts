/** Compares strings by their UTF-8 bytes, as Go does, which is the order of code points. */
export function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
