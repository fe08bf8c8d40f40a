const offsetHigh = 0xcbf29ce4;
const offsetLow = 0x84222325;
/** The prime of FNV-1a 64 is 2^40 + 435. */
const primeLow = 435;
const word = 2 ** 32;

const encoder = new TextEncoder();

/**
 * Returns the hash of a key, as the API server computes it for `shardSelector`: FNV-1a with 64 bits of the key's UTF-8.
 * Two words of 32 bits are several times faster than a bigint, and each received object is hashed.
 */
export function shardHash(key: string): bigint {
  let high = offsetHigh;
  let low = offsetLow;
  for (const byte of encoder.encode(key)) {
    low = (low ^ byte) >>> 0;
    const product = low * primeLow;
    high = (high * primeLow + Math.floor(product / word) + low * 256) % word;
    low = product % word;
  }
  return (BigInt(high) << 32n) | BigInt(low);
}
