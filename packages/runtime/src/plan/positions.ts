import { fileURLToPath } from "node:url";
import { sourcePosition } from "../inspect/source-position.ts";
import { SourceMaps } from "../log/source-maps.ts";
import type { PlannedPosition } from "../session/plan.ts";

const sources = new SourceMaps();
/** The directory of the runtime, which isn't in `node_modules` if the package is linked. */
const own = [fileURLToPath(new URL("..", import.meta.url)), new URL("..", import.meta.url).href];

/** The place of what has no place in the project's sources. */
export const nowhere: PlannedPosition = { file: "", line: 0, column: 0 };

/** Returns the first place of a stack trace in the project's own sources; by default, that of the caller. */
export function positionOf(stack: string | undefined = new Error().stack): PlannedPosition {
  const lines = (stack ?? "").split("\n").filter((line) => !own.some((directory) => line.includes(directory)));
  return sourcePosition(sources.mapped(lines.join("\n")), process.cwd()) ?? nowhere;
}
