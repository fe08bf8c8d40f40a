import { disk, type Files } from "../../../generate/source/files.ts";
import type { Terminal } from "../../framework/terminal.ts";

/** Time in milliseconds before progress is shown. */
const delay = 1000;
/** Minimum time between updates in milliseconds. */
const interval = 200;

/**
 * Wraps file access to show progress on the last line of the terminal. The run is synchronous, so a timer would never fire.
 *
 * @param now returns the time in milliseconds
 */
export function filesWithProgress(
  terminal: Pick<Terminal, "redraw">,
  files: Files = disk,
  now: () => number = () => performance.now(),
): { readonly files: Files; end(): void } {
  const started = now();
  let drawn: number | undefined;
  let read = 0;
  return {
    files: {
      ...files,
      read: (path) => {
        read++;
        const time = now();
        if (time - started >= delay && time - (drawn ?? 0) >= interval) {
          drawn = time;
          terminal.redraw(`Reading types … ${read} files, ${Math.floor((time - started) / 1000)} s`);
        }
        return files.read(path);
      },
    },
    end: () => {
      if (drawn !== undefined) terminal.redraw();
    },
  };
}
