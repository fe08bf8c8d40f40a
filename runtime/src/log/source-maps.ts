import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Origin, originsOf } from "./mappings.ts";

interface SourceMap {
  mappings: string;
  sources: string[];
}

const framePattern = /(file:\/\/[^\s()]+):(\d+):(\d+)/g;
/** Frames that are remembered: those of the errors that come again and again. */
const maxRemembered = 1000;

/**
 * Makes stacks tell places in sources, by the source map beside a bundle, read when the first stack asks for it and not kept. Node's
 * `--enable-source-maps` reads it at each start and holds it ever after.
 */
export class SourceMaps {
  /** What frames come to, by their text; a frame without a source comes to itself. */
  readonly #known = new Map<string, string>();
  readonly #unmapped = new Set<string>();

  /** The stack with the places that are known of its sources, such as `src/controller/game-controller.ts:31:13`. */
  mapped(stack: string): string {
    for (const file of filesOf(stack)) if (!this.#unmapped.has(file)) this.#learn(file, stack);
    return stack.replace(framePattern, (frame) => this.#known.get(frame) ?? frame);
  }

  #learn(file: string, stack: string): void {
    const frames = [...stack.matchAll(framePattern)].filter(([frame, of]) => of === file && !this.#known.has(frame));
    if (frames.length === 0) return;
    const map = readMap(file);
    if (!map) {
      this.#unmapped.add(file);
      return;
    }
    if (this.#known.size > maxRemembered) this.#known.clear();
    const positions = frames.map(([, , line, column]) => ({ line: Number(line), column: Number(column) }));
    const origins = originsOf(map.mappings, positions);
    for (const [index, [frame]] of frames.entries()) this.#known.set(frame, textOf(map, origins[index]) ?? frame);
  }
}

function filesOf(stack: string): Set<string> {
  return new Set([...stack.matchAll(framePattern)].map(([, file = ""]) => file));
}

function readMap(file: string): SourceMap | undefined {
  try {
    const { mappings, sources } = JSON.parse(readFileSync(`${fileURLToPath(file)}.map`, "utf8")) as Partial<SourceMap>;
    return typeof mappings === "string" && Array.isArray(sources) ? { mappings, sources } : undefined;
  } catch {
    // No map, or none that can be read: the stack stays as it is.
    return undefined;
  }
}

/** Sources are told from the project's root: the bundle lies elsewhere in an image. */
function textOf({ sources }: SourceMap, origin: Origin | undefined): string | undefined {
  const source = origin && sources[origin.source]?.replace(/^(\.\.\/)+/, "");
  return source && `${source}:${origin.line}:${origin.column}`;
}
