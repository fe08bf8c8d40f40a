#!/usr/bin/env node
// Until the command line has loaded and handles signals, they must not kill the process.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);

// `version` and an unchanged `generate` start faster without the command table.
const [command, ...rest] = process.argv.slice(2);
try {
  if ((command === "version" || command === "--version" || command === "-V") && rest.length === 0) {
    const { versionText } = require("../dist/cli/version.cjs");
    process.stdout.write(`${versionText()}\n`);
  } else if (command === "generate" && require("../dist/cli/unchanged.cjs").isUnchanged(rest)) {
    const quiet = ["--quiet", "--json", "--check"].some((flag) => rest.includes(flag));
    if (process.stderr.isTTY && !process.env.CI && !quiet)
      process.stderr.write("All generated files are up to date.\n");
  } else {
    // Node 20 has no such cache. `--watch` runs for long, and V8 optimizes better without cached code.
    if (!rest.includes("--watch")) require("node:module").enableCompileCache?.();
    require("../dist/cli/main.cjs").main(process.argv.slice(2));
  }
} catch (error) {
  // Only a checkout can lack dist/.
  if (error?.code !== "MODULE_NOT_FOUND" || !/[\\/]dist[\\/]cli[\\/]\w+\.cjs/.test(error.message)) throw error;
  process.stderr.write("error: this checkout of kubewright isn't built\n  hint: run npm run build\n");
  process.exitCode = 1;
}
