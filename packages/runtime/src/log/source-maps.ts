import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Origin, originsOf } from "./mappings.ts";

interface SourceMap {
  mappings: string;
  sources: string[];
}

const framePattern = /(?<![^\s()])(file:\/\/[^\s()]+):(\d+):(\d+)/g;
/** Number of remembered frames, since errors repeat. */
const maxRemembered = 1000;

/**
 * Maps stack traces to sources by the source map next to a bundle, which is read when the first stack trace needs it,
 * and not kept. With `--enable-source-maps`, Node.js would read it at each start and keep it in memory.
 */
export class SourceMaps {
  /** Mapped frames by their text. Frames without a source map to themselves. */
  readonly #known = new Map<string, string>();
  readonly #unmapped = new Set<string>();

  /** Returns a stack trace with known positions in sources, such as `src/controller/game-controller.ts:31:13`. */
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
    for (const [index, [frame]] of frames.entries()) this.#known.set(frame, textOf(file, map, origins[index]) ?? frame);
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
    // The map is missing or invalid: the stack trace stays as it is.
    return undefined;
  }
}

/**
 * Formats a position in a source. The path is relative to the project's root, since the bundle has another directory in an
 * image. The path of a package begins with `node_modules/`, also if the bundle itself is in that directory.
 */
function textOf(bundle: string, { sources }: SourceMap, origin: Origin | undefined): string | undefined {
  const source = origin && sources[origin.source];
  if (!source) return undefined;
  const path = source.replace(/^(\.\.\/)+/, "");
  const isBeside = new URL(source, bundle).pathname.endsWith(`/node_modules/${path}`);
  return `${isBeside ? "node_modules/" : ""}${path}:${origin.line}:${origin.column}`;
}
