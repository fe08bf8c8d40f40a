import { disk, type Files } from "../../../generate/source/files.ts";
import type { Terminal } from "../../terminal.ts";

/** A run that is over sooner needs no words. In milliseconds, as below. */
const patience = 1000;
const pause = 200;

/**
 * The files on disk, with a word on the terminal's last line where reading them takes long: a run does nothing but that and
 * compute, so no timer would ever come to its turn.
 *
 * @param now the time in milliseconds
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
        if (time - started >= patience && time - (drawn ?? 0) >= pause) {
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
