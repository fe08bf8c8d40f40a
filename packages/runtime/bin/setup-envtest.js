#!/usr/bin/env node
import { existsSync } from "node:fs";

const built = new URL("../dist/envtest/setup.js", import.meta.url);
if (existsSync(built)) {
  const { main } = await import(built.href);
  process.exitCode = await main(process.argv.slice(2));
} else {
  process.stderr.write("setup-envtest: this package is not built; run `npm run build` in its repository first\n");
  process.exitCode = 1;
}
