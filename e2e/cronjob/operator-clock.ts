import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const minute = 60_000;

/** The operator's clock, which shifted-clock.ts applies, so that no test waits for a full minute or a deadline. */
export class OperatorClock {
  readonly #directory = mkdtempSync(join(tmpdir(), "kubewright-clock-"));
  /** The file with the shift in milliseconds. */
  readonly file: string = join(this.#directory, "shift");

  constructor() {
    this.set(new Date());
  }

  /** Sets the current time, from which the clock continues. */
  set(time: Date): void {
    // Replace the file atomically, because the operator may read it at any time.
    const next = `${this.file}.next`;
    writeFileSync(next, String(time.getTime() - Date.now()));
    renameSync(next, this.file);
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/**
 * Returns an hourly schedule whose next run is half an hour away. The API server's clock, which sets creation times, thus
 * stays far from all runs, even if something takes long.
 */
export function hourlySchedule(): { text: string; first: Date } {
  const first = new Date(Math.ceil((Date.now() + 30 * minute) / minute) * minute);
  return { text: `${first.getUTCMinutes()} * * * *`, first };
}

/** Returns a time this many minutes later, or earlier if negative. */
export function minutesAfter(time: Date, minutes: number): Date {
  return new Date(time.getTime() + minutes * minute);
}
