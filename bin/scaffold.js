#!/usr/bin/env node
// Nothing but a fast start: `version` needs no command table, everything else loads it.
const [command, ...rest] = process.argv.slice(2);
if ((command === "version" || command === "--version" || command === "-V") && rest.length === 0) {
  const { versionText } = await import("../dist/cli/version.js");
  process.stdout.write(`${versionText()}\n`);
} else {
  const { main } = await import("../dist/cli/main.js");
  await main(process.argv.slice(2));
}
