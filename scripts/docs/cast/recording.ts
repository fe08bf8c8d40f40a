import type { Line } from "./screen.ts";

/** The screen from a time on, in milliseconds. */
export interface Frame {
  readonly time: number;
  /** Whether a command works for a long time, which is shown faster. */
  readonly isFast?: boolean;
  readonly lines: readonly Line[];
}

/** A recorded session. */
export interface Recording {
  readonly columns: number;
  readonly rows: number;
  readonly frames: readonly Frame[];
}

/** Milliseconds between two frames, and the longest time in which nothing changes. */
const shortest = 60;
const longest = 1600;
/** How much faster than in reality long work is shown. */
const fast = 6;

/**
 * Removes equal frames and those that follow too fast, and shortens long waits.
 *
 * @param frames - the frames in the order of their times
 * @param holds - times after which a wait is kept, because the viewer reads then
 */
export function condensed(frames: readonly Frame[], holds: readonly number[]): Frame[] {
  const changes: Frame[] = [];
  for (const frame of frames) {
    const last = changes.at(-1);
    if (last && JSON.stringify(last.lines) === JSON.stringify(frame.lines)) continue;
    // The next state replaces one that was visible only for a moment.
    if (last && frame.time - last.time < shortest) changes.splice(-1, 1, { ...frame, time: last.time });
    else changes.push(frame);
  }
  const result: Frame[] = [];
  let time = 0;
  for (const [index, { lines, time: at }] of changes.entries()) {
    const before = changes[index - 1]?.time ?? at;
    const speed = changes[index]?.isFast ? fast : 1;
    const isHeld = holds.some((hold) => hold > before && hold <= at);
    time += isHeld ? at - before : Math.min(longest, at - before) / speed;
    result.push({ time, lines });
  }
  return result;
}
