#!/usr/bin/env node
// Until the command line has loaded and handles signals, they must not kill the process.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);

/**
 * V8 flags for `generate`, which is over before optimized code pays off: over the modules of bench/generate.mjs, it takes 0.81 of
 * controller-gen's processor time with them and 0.96 without, and 118 MiB instead of 156 (Node 20, at most 0.9 and 140 MiB are
 * allowed). By V8's major version, because V8 prints warnings about flags that it doesn't know.
 */
const flagsForGenerate = {
  11: ["--interrupt-budget=2000000", "--max-bytecode-size-for-early-opt=0", "--semi-space-growth-factor=1"],
  12: ["--invocation-count-for-turbofan=60000", "--semi-space-growth-factor=1"],
  13: ["--invocation-count-for-turbofan=60000", "--semi-space-growth-factor=1"],
};

// `version` starts faster without the command table.
const [command, ...rest] = process.argv.slice(2);
try {
  if ((command === "version" || command === "--version" || command === "-V") && rest.length === 0) {
    const { versionText } = require("../dist/cli/version.cjs");
    process.stdout.write(`${versionText()}\n`);
  } else {
    if (command === "generate" && !rest.includes("--watch")) {
      const { setFlagsFromString } = require("node:v8");
      for (const flag of flagsForGenerate[process.versions.v8.split(".")[0]] ?? []) setFlagsFromString(flag);
    }
    // Node 20 has no such cache. `--watch` runs for long, and V8 optimizes better without cached code.
    if (!rest.includes("--watch")) require("node:module").enableCompileCache?.();
    require("../dist/cli/main.cjs").main(process.argv.slice(2));
  }
} catch (error) {
  // Only a checkout can lack dist/.
  if (error?.code !== "MODULE_NOT_FOUND" || !/[\\/]dist[\\/]cli[\\/](main|version)\.cjs/.test(error.message))
    throw error;
  process.stderr.write("error: this checkout of kubewright isn't built\n  hint: run npm run build\n");
  process.exitCode = 1;
}
