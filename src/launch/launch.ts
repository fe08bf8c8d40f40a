import { join } from "node:path";
import { codeCacheDirectory } from "./cache-directory.ts";
import { createChunkLoader } from "./chunks.ts";
import { createCodeCache } from "./code-cache.ts";
import { expectShortLife } from "./short-lived.ts";

interface CommandLine {
  main(argv: readonly string[]): Promise<never>;
}

/**
 * Runs the built command line.
 *
 * @param directory the directory of its chunks
 */
export function launch(directory: string, argv: readonly string[]): Promise<never> {
  // `--watch` runs long, so V8 should optimize. Its code can't be cached for other runs, because the V8 flags are part of it.
  const short = !argv.includes("--watch");
  if (short) expectShortLife();
  const cache = createCodeCache(short ? codeCacheDirectory(directory) : undefined);
  process.on("exit", () => cache.keep());
  const { main } = createChunkLoader(cache)(join(directory, "cli/main.cjs")) as CommandLine;
  return main(argv);
}
