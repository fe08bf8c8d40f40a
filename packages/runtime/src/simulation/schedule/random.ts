/**
 * A generator of pseudo-random numbers: xoshiro128** 1.1, seeded by splitmix32. It uses only 32-bit integers, so that a
 * seed gives the same numbers on each machine and version of Node.js.
 */
export class SeededRandom {
  readonly #state: Uint32Array = new Uint32Array(4);

  /**
   * @param seed - an integer
   * @param stream - number of the independent sequence of this seed
   */
  constructor(seed: number, stream = 0) {
    let state = (Math.imul(seed >>> 0, 0x9e3779b1) ^ Math.imul(stream + 1, 0x85ebca77) ^ (seed / 2 ** 32)) >>> 0;
    for (let index = 0; index < 4; index++) {
      state = (state + 0x9e3779b9) >>> 0;
      let mixed = state ^ (state >>> 16);
      mixed = Math.imul(mixed, 0x21f0aaad);
      mixed ^= mixed >>> 15;
      mixed = Math.imul(mixed, 0x735a2d97);
      this.#state[index] = mixed ^ (mixed >>> 15);
    }
  }

  /** Returns the next 32 bits. */
  bits(): number {
    const s = this.#state as unknown as [number, number, number, number];
    const product = Math.imul(s[1], 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
    const shifted = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = (s[3] << 11) | (s[3] >>> 21);
    return result;
  }

  /** Returns a number in [0, 1). */
  next(): number {
    return this.bits() / 2 ** 32;
  }

  /** Returns an integer in [0, below). */
  below(below: number): number {
    return Math.floor(this.next() * below);
  }
}
