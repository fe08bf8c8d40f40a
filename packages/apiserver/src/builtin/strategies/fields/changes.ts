import { encodePretty, type Json } from "@kubewright/cel/json";
import { internalForm } from "../../codec/internal-form.ts";

/**
 * Shows what an update changes, as kube-apiserver does in messages about fields that must not change.
 *
 * @param type - the internal Go type of the values, see {@link internalForm}
 * @param before - the value before the update
 * @param now - the value after it
 * @returns a unified diff
 */
export function changes(type: string, before: Json | undefined, now: Json | undefined): string {
  const lines = (value: Json | undefined): string[] => encodePretty(internalForm(type, value), 1).split("\n");
  return unifiedDiff(lines(before), lines(now));
}

/** Lines without changes that are shown around changes. */
const context = 3;

/** Lines [start, end) of the first text that become lines [into, until) of the second. */
interface Change {
  start: number;
  end: number;
  into: number;
  until: number;
}

/** Returns the differences of two texts in the unified format, without names of files. */
export function unifiedDiff(before: readonly string[], now: readonly string[]): string {
  const hunks: Change[][] = [];
  for (const change of changedLines(before, now)) {
    const hunk = hunks.at(-1);
    if (hunk !== undefined && change.start - (hunk.at(-1) as Change).end <= 2 * context) hunk.push(change);
    else hunks.push([change]);
  }
  return hunks.map((hunk) => printed(hunk, before, now)).join("");
}

function printed(hunk: readonly Change[], before: readonly string[], now: readonly string[]): string {
  const [first, last] = [hunk[0] as Change, hunk.at(-1) as Change];
  const [start, into] = [Math.max(0, first.start - context), Math.max(0, first.into - context)];
  const [end, until] = [Math.min(before.length, last.end + context), Math.min(now.length, last.until + context)];
  const lines = [`@@ -${range(start, end)} +${range(into, until)} @@`];
  const add = (sign: string, texts: readonly string[]): void => {
    for (const text of texts) lines.push(sign + text);
  };
  let done = start;
  for (const change of hunk) {
    add(" ", before.slice(done, change.start));
    add("-", before.slice(change.start, change.end));
    add("+", now.slice(change.into, change.until));
    done = change.end;
  }
  add(" ", before.slice(done, end));
  return lines.map((line) => `${line}\n`).join("");
}

function range(start: number, end: number): string {
  const length = end - start;
  if (length === 1) return String(start + 1);
  return length === 0 ? `${start},0` : `${start + 1},${length}`;
}

/** Finds the changes as Python's difflib does: the longest equal part first, then those on both sides of it. */
function changedLines(before: readonly string[], now: readonly string[]): Change[] {
  const places = placesOf(now);
  const equal: { start: number; into: number; length: number }[] = [];
  const pending = [{ start: 0, end: before.length, into: 0, until: now.length }];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    const match = longestMatch(before, now, places, part);
    if (match.length === 0) continue;
    equal.push(match);
    pending.push(
      { start: part.start, end: match.start, into: part.into, until: match.into },
      { start: match.start + match.length, end: part.end, into: match.into + match.length, until: part.until },
    );
  }
  equal.sort((a, b) => a.start - b.start);
  const changes: Change[] = [];
  let [start, into] = [0, 0];
  for (const match of [...equal, { start: before.length, into: now.length, length: 0 }]) {
    if (start < match.start || into < match.into) changes.push({ start, end: match.start, into, until: match.into });
    [start, into] = [match.start + match.length, match.into + match.length];
  }
  return changes;
}

/** The places of each line. Lines that are all over a long text say nothing about where a part of it went. */
function placesOf(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [index, line] of lines.entries()) {
    const indexes = places.get(line);
    if (indexes === undefined) places.set(line, [index]);
    else indexes.push(index);
  }
  const limit = Math.floor(lines.length / 100) + 1;
  if (lines.length >= 200) for (const [line, { length }] of places) if (length > limit) places.delete(line);
  return places;
}

function longestMatch(
  before: readonly string[],
  now: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  part: Change,
): { start: number; into: number; length: number } {
  let [start, into, length] = [part.start, part.into, 0];
  let lengths = new Map<number, number>();
  for (let index = part.start; index < part.end; index++) {
    const next = new Map<number, number>();
    for (const place of places.get(before[index] as string) ?? []) {
      if (place < part.into) continue;
      if (place >= part.until) break;
      const size = (lengths.get(place - 1) ?? 0) + 1;
      next.set(place, size);
      if (size > length) [start, into, length] = [index - size + 1, place - size + 1, size];
    }
    lengths = next;
  }
  while (start > part.start && into > part.into && before[start - 1] === now[into - 1]) {
    [start, into, length] = [start - 1, into - 1, length + 1];
  }
  while (start + length < part.end && into + length < part.until && before[start + length] === now[into + length]) {
    length++;
  }
  return { start, into, length };
}
