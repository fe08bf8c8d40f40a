// Each declaration has the gaps that are in its name, or is complete.

/** Is complete.
 *
 * @param timeout - time limit in milliseconds
 * @returns the number
 * @throws Error if the number is negative
 */
export function complete(timeout: number): number {
  if (timeout < 0) throw new Error("negative");
  return timeout;
}

/** Is complete: it throws nothing that its caller sees. */
export function catching(): void {
  try {
    throw new Error("caught");
  } catch {
    [1].forEach(() => {
      throw new Error("in another function");
    });
  }
}

/** Is complete: the error is that of a call. */
export function rethrowing(): void {
  try {
    complete(1);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
}

/** Throws an error of its own for one that it caught. */
export function noThrowsInCatch(): void {
  try {
    complete(1);
  } catch (error) {
    throw new Error("other", { cause: error });
  }
}

export function noSummary(): void {}

/** Has an undocumented parameter. */
export function noParam(value: string): void {
  void value;
}

/** Has an undocumented result. */
export async function noReturns(): Promise<string> {
  return "";
}

/** Throws. */
export function noThrows(): void {
  throw new Error("thrown");
}

/** Options. */
export interface Options {
  /** Time limit. */
  timeout?: number;
  /** Time limit in seconds. */
  otherTimeout?: number;
  /** Maximum length. */
  bufferSize: number;
  undocumented: string;
}

/** A class. */
export class Thing {
  /** Size of the cache in bytes. */
  readonly cacheSize: number = 0;

  method(value: string): string {
    return value;
  }
}
