#!/usr/bin/env node
// Nothing but a fast start: `version` needs no command table, everything else loads it.
const [command, ...rest] = process.argv.slice(2);
try {
  if ((command === "version" || command === "--version" || command === "-V") && rest.length === 0) {
    const { versionText } = await import("../dist/cli/version.js");
    process.stdout.write(`${versionText()}\n`);
  } else {
    const { main } = await import("../dist/cli/main.js");
    await main(process.argv.slice(2));
  }
} catch (error) {
  // Only a checkout can be without dist/.
  if (error?.code !== "ERR_MODULE_NOT_FOUND" || !/[\\/]dist[\\/]cli[\\/](main|version)\.js/.test(error.message))
    throw error;
  process.stderr.write("kubewright isn't built in this checkout; build it with: npm run build\n");
  process.exitCode = 1;
}
