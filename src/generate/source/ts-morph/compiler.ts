import { createRequire } from "node:module";
import type { ts } from "ts-morph";

const require = createRequire(import.meta.url);
let compiler: typeof ts | undefined;

/** Loads the compiler on demand, because it takes a few tenths of a second. ts-morph is CommonJS. */
export function loadCompiler(): typeof ts {
  compiler ??= (require("ts-morph") as { ts: typeof ts }).ts;
  return compiler;
}
