import { createRequire } from "node:module";
import type { ts } from "ts-morph";

const require = createRequire(import.meta.url);
let compiler: typeof ts | undefined;

/** The compiler. It takes a few tenths of a second to load, so that waits until something needs it; ts-morph is CommonJS. */
export function loadCompiler(): typeof ts {
  compiler ??= (require("ts-morph") as { ts: typeof ts }).ts;
  return compiler;
}
