#!/usr/bin/env node
// Until the command line has loaded and handles signals, they must not kill the process.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);

/**
 * V8 flags for runs of less than a second, in which optimizing code takes longer than it saves: `generate` for the types of
 * crossplane takes 0.27 s of CPU and 68 MiB with them, 0.43 s and 88 MiB without (Node 20; on Node 22 0.22 s and 79 MiB,
 * 0.32 s and 97 MiB). By V8's major version, because V8 prints warnings about flags that it doesn't know.
 */
const flagsForShortRuns = {
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
    if (!rest.includes("--watch") && command !== "dev" && command !== "simulate") {
      const { setFlagsFromString } = require("node:v8");
      for (const flag of flagsForShortRuns[process.versions.v8.split(".")[0]] ?? []) setFlagsFromString(flag);
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
