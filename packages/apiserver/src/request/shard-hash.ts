const basis = { high: 0xcbf29ce4, low: 0x84222325 };
/** The prime is 2^40 + 0x1b3. */
const prime = { shift: 2 ** 8, low: 0x1b3 };
const word = 2 ** 32;
const encoder = new TextEncoder();

/**
 * Returns the hash that decides about the shard of an object: FNV-1a with 64 bits.
 *
 * @param text - the value of the field
 * @returns the hash
 */
export function shardHash(text: string): bigint {
  let { high, low } = basis;
  for (const byte of encoder.encode(text)) {
    const mixed = (low ^ byte) >>> 0;
    const product = mixed * prime.low;
    low = product % word;
    high = (high * prime.low + Math.floor(product / word) + mixed * prime.shift) % word;
  }
  return BigInt(high) * BigInt(word) + BigInt(low);
}
