#!/usr/bin/env node
// `exec` for shells that have none (cmd.exe, yarn's). npm scripts say `exec node …` so that the shell makes room for the
// process and a SIGTERM to npm reaches it; where `exec` is built in, as in every POSIX shell, this file is never run.
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
