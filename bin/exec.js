#!/usr/bin/env node
// `exec` for shells without it (cmd.exe, yarn's shell). npm scripts run `exec node …`, so that the process replaces the shell and
// receives a SIGTERM that is sent to npm. POSIX shells use their built-in `exec` instead of this file.
const { spawn } = require("node:child_process");

const [command, ...args] = process.argv.slice(2);
const child = spawn(command ?? process.execPath, args, { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 127;
});
child.on("close", (code) => {
  process.exitCode ??= code ?? 1;
});
