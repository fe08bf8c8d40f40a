import { type Piece, prefixes, prefixOf } from "./divide.ts";
import { type KeyCount, keysIn, objectsOf } from "./keys.ts";
import type { HashRange } from "./ranges.ts";

/** The state of a member: it has no role yet, it works, or it hands over its ranges. */
export type MemberState = "joining" | "active" | "leaving";

/** A member with the number of its reconciled objects. */
export interface MemberLoad {
  readonly name: string;
  readonly state: MemberState;
  readonly objects: number;
  /** Whether the member can't give objects to balance the group, because most of them have one key. */
  readonly isIndivisible?: boolean;
}

/** Objects that one member should give to another one. */
export interface Move {
  readonly from: string;
  readonly to: string;
  readonly objects: number;
}

/** Returns the mean number of objects of the members that stay, including those that are joining. */
export function meanOf(members: readonly MemberLoad[]): number {
  const staying = members.filter(({ state }) => state !== "leaving");
  // The objects of leaving members will belong to the others.
  return members.reduce((sum, { objects }) => sum + objects, 0) / Math.max(1, staying.length);
}

/** Returns the greatest deviation of a member from the mean, relative to the mean. */
export function deviationOf(members: readonly MemberLoad[]): number {
  const mean = meanOf(members);
  if (mean === 0) return 0;
  const staying = members.filter(({ state }) => state !== "leaving");
  return Math.max(0, ...staying.map(({ objects }) => Math.abs(objects - mean) / mean));
}

/**
 * Returns the next move: the member with the most objects gives to the one with the fewest. All members compute the same
 * move from the same data.
 *
 * @returns the move; `undefined` if no member deviates by more than `tolerance`
 */
export function nextMove(members: readonly MemberLoad[], tolerance: number): Move | undefined {
  // The others share what indivisible members can't give.
  const sharing = members.filter(({ isIndivisible }) => !isIndivisible);
  if (deviationOf(sharing) <= tolerance) return undefined;
  const mean = meanOf(sharing);
  const ordered = byObjects(sharing.filter(({ state }) => state !== "leaving"));
  const to = ordered[0];
  const from = ordered.filter(({ state }) => state === "active").at(-1);
  if (!from || !to || from.name === to.name || from.objects <= mean) return undefined;
  // A member that is joining takes nothing yet. Another one would take what it should receive.
  if (to.state !== "active") return undefined;
  const objects = Math.min(from.objects - mean, mean - to.objects);
  return objects > 0 ? { from: from.name, to: to.name, objects } : undefined;
}

/** Everything that {@link pieceToGive} needs. */
export interface GiveOptions {
  /** The keys of the giver. */
  keys: readonly KeyCount[];
  /** The ranges of the giver. */
  ranges: readonly HashRange[];
  /** The ranges of the receiver. */
  receiver: readonly HashRange[];
  /** The number of objects to give. */
  wanted: number;
  /** The difference between the two members, which the move must reduce. */
  difference: number;
  /** Deviation from `wanted` that is accepted if the table stays smaller. */
  slack: number;
}

/**
 * Returns the part of the giver's ranges whose number of objects is closest to the wanted one.
 *
 * @returns the piece; `undefined` if no piece reduces the difference, because too many objects have one key
 */
export function pieceToGive(options: GiveOptions): Piece | undefined {
  const { keys, ranges, receiver, wanted, difference, slack } = options;
  const candidates = ranges
    .flatMap((range) => {
      const starts = prefixes(keys, range);
      const all = objectsOf(keysIn(keys, range));
      const ends = starts
        .filter(({ end }) => end < range.end)
        .map(({ end, objects }) => ({ start: end, end: range.end, objects: all - objects }));
      return [...starts, ...ends].map((piece) => ({
        piece,
        distance: Math.abs(piece.objects - wanted),
        // Whole ranges and neighbors of the receiver's ranges add no entry to the table.
        entries: isWhole(piece, range) || receiver.some((other) => isNeighbor(piece, other)) ? 0 : 1,
      }));
    })
    .filter(({ piece }) => piece.objects > 0 && piece.objects < difference);
  if (candidates.length === 0) return undefined;
  const closest = Math.min(...candidates.map(({ distance }) => distance));
  const accepted = candidates.filter(({ distance }) => distance <= closest + slack);
  accepted.sort((a, b) => a.entries - b.entries || a.distance - b.distance);
  return accepted[0]?.piece;
}

/**
 * Divides the ranges of a leaving member, so that each remaining member can take pieces up to the mean.
 *
 * @param remaining - the members that stay
 */
export function piecesToLeave(
  keys: readonly KeyCount[],
  ranges: readonly HashRange[],
  remaining: readonly MemberLoad[],
  tolerance: number,
): Piece[] {
  const loads = new Map(remaining.map(({ name, objects }) => [name, objects]));
  const total = ranges.reduce((sum, range) => sum + objectsOf(keysIn(keys, range)), 0);
  const mean = ([...loads.values()].reduce((sum, objects) => sum + objects, 0) + total) / Math.max(1, loads.size);
  const pieces: Piece[] = [];
  const rest = [...ranges];
  for (let range = rest.shift(); range; range = rest.shift()) {
    const fewest = [...loads].sort(([, a], [, b]) => a - b)[0];
    const objects = objectsOf(keysIn(keys, range));
    const room = fewest ? mean - fewest[1] : objects;
    const piece = room <= 0 || objects <= room + tolerance * mean ? { ...range, objects } : prefixOf(keys, range, room);
    pieces.push({ start: piece.start, end: piece.end, objects: piece.objects });
    if (fewest) loads.set(fewest[0], fewest[1] + piece.objects);
    if (piece.end < range.end) rest.unshift({ start: piece.end, end: range.end });
  }
  return pieces;
}

/** A range without a live owner. */
export interface FreeRange extends HashRange {
  readonly objects: number;
}

/**
 * Returns the free range that a member takes next: the active member with the fewest objects takes the one with the most.
 *
 * @returns the range, and the number of objects up to the mean: `part` is set if the range has more
 */
export function rangeToTake<R extends FreeRange>(
  free: readonly R[],
  members: readonly MemberLoad[],
  { name, tolerance }: { name: string; tolerance: number },
): { range: R; part: number | undefined } | undefined {
  const staying = members.filter(({ state }) => state !== "leaving");
  const fewest = byObjects(staying.filter(({ state }) => state === "active"))[0];
  if (fewest?.name !== name) return undefined;
  const range = [...free].sort((a, b) => b.objects - a.objects || (a.start < b.start ? -1 : 1))[0];
  if (!range) return undefined;
  const total = [...staying, ...free].reduce((sum, { objects }) => sum + objects, 0);
  const mean = total / staying.length;
  const room = mean - fewest.objects;
  const isWhole = room <= 0 || range.objects <= room + tolerance * mean;
  return { range, part: isWhole ? undefined : room };
}

/** Orders members by their objects, then by their names, so that each process finds the same order. */
function byObjects(members: readonly MemberLoad[]): MemberLoad[] {
  return [...members].sort((a, b) => a.objects - b.objects || (a.name < b.name ? -1 : 1));
}

function isWhole(piece: HashRange, range: HashRange): boolean {
  return piece.start === range.start && piece.end === range.end;
}

function isNeighbor(piece: HashRange, other: HashRange): boolean {
  return piece.start === other.end || piece.end === other.start;
}
