import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const minute = 60_000;

/** The operator's clock, set by shifted-clock.ts, so that no test waits for a full minute or a deadline. */
export class OperatorClock {
  readonly #directory = mkdtempSync(join(tmpdir(), "kubewright-clock-"));
  /** The file with the shift in milliseconds. */
  readonly file: string = join(this.#directory, "shift");

  constructor() {
    this.set(new Date());
  }

  /** From now on it is this time; it goes on from there. */
  set(time: Date): void {
    // The operator reads whenever it likes: it must never find half a file.
    const next = `${this.file}.next`;
    writeFileSync(next, String(time.getTime() - Date.now()));
    renameSync(next, this.file);
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/**
 * An hourly schedule whose next run is half an hour away from now: the API server's clock, which sets creation times,
 * stays well apart from all runs however long something takes.
 */
export function hourlySchedule(): { text: string; first: Date } {
  const first = new Date(Math.ceil((Date.now() + 30 * minute) / minute) * minute);
  return { text: `${first.getUTCMinutes()} * * * *`, first };
}

/** A time so many minutes later, or earlier. */
export function minutesAfter(time: Date, minutes: number): Date {
  return new Date(time.getTime() + minutes * minute);
}
