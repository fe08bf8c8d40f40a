#!/usr/bin/env node
// From here on a signal doesn't kill the process: it is heard once the command line has loaded.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);

// Nothing but a fast start: `version` needs no command table, everything else loads it.
const { join } = require("node:path");

const dist = join(__dirname, "..", "dist");
const [command, ...rest] = process.argv.slice(2);
try {
  if ((command === "version" || command === "--version" || command === "-V") && rest.length === 0) {
    const { versionText } = require("../dist/cli/version.cjs");
    process.stdout.write(`${versionText()}\n`);
  } else {
    require("../dist/launch.cjs").launch(dist, process.argv.slice(2));
  }
} catch (error) {
  // Only a checkout can be without dist/.
  if (error?.code !== "MODULE_NOT_FOUND" || !/[\\/]dist[\\/](launch|cli[\\/]version)\.cjs/.test(error.message))
    throw error;
  process.stderr.write("kubewright isn't built in this checkout; build it with: npm run build\n");
  process.exitCode = 1;
}
