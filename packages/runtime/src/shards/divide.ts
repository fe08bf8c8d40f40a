import { type KeyCount, keysIn, objectsOf } from "./keys.ts";
import { everything, type HashRange, hashCount } from "./ranges.ts";

/** A part of a range, with the number of its objects. */
export interface Piece extends HashRange {
  readonly objects: number;
}

/**
 * Returns all pieces from the start of a range up to a boundary between two keys, and the whole range. Objects with one key
 * are never divided.
 */
export function prefixes(keys: readonly KeyCount[], range: HashRange): Piece[] {
  const inside = keysIn(keys, range);
  const pieces: Piece[] = [];
  let objects = 0;
  for (const [index, { hash, objects: more }] of inside.entries()) {
    const before = inside[index - 1]?.hash;
    if (before !== undefined && before < hash) {
      pieces.push({ start: range.start, end: before + (hash - before + 1n) / 2n, objects });
    }
    objects += more;
  }
  return [...pieces, { start: range.start, end: range.end, objects }];
}

/** Returns the piece from the start of a range whose number of objects is closest to `wanted`. */
export function prefixOf(keys: readonly KeyCount[], range: HashRange, wanted: number): Piece {
  return prefixes(keys, range).reduce((best, piece) =>
    Math.abs(piece.objects - wanted) < Math.abs(best.objects - wanted) ? piece : best,
  );
}

/**
 * Divides all hashes into ranges with about the same number of objects. There can be fewer than `count` if there are fewer
 * keys.
 */
export function equalShares(keys: readonly KeyCount[], count: number): Piece[] {
  const total = objectsOf(keys);
  if (total === 0) {
    const boundary = (index: number): bigint => (hashCount * BigInt(index)) / BigInt(count);
    return Array.from({ length: count }, (_, index) => ({
      start: boundary(index),
      end: boundary(index + 1),
      objects: 0,
    }));
  }
  const shares: Piece[] = [];
  let rest: HashRange = everything;
  let remaining = total;
  for (let members = count; members > 1; members--) {
    const share = prefixOf(keys, rest, remaining / members);
    if (share.end === everything.end) break;
    shares.push(share);
    remaining -= share.objects;
    rest = { start: share.end, end: everything.end };
  }
  return [...shares, { ...rest, objects: remaining }];
}
