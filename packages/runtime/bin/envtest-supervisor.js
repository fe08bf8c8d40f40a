// Parent of the servers of one TestEnvironment. It outlives the test process just long enough to end them: when the
// channel to the test process closes, for whatever reason (kill -9 included), every server is killed and the data
// directory removed. A plain script of its own, because it has to run without a build and without loaders.
import { spawn } from "node:child_process";
import { closeSync, openSync, rmSync } from "node:fs";

const windows = process.platform === "win32";
const directory = process.argv[2];
const servers = new Map();

function tell(message) {
  if (process.connected) process.send(message, () => {});
}

// A server leads its own group, so that whatever it starts ends with it.
function signal(child, name) {
  try {
    if (windows) child.kill(name);
    else process.kill(-child.pid, name);
  } catch {
    // Gone already.
  }
}

function start({ id, command, args, log }) {
  const output = log ? openSync(log, "a") : "inherit";
  const child = spawn(command, args, {
    cwd: directory,
    detached: !windows,
    windowsHide: true,
    stdio: ["ignore", output, output],
  });
  if (log) closeSync(output);
  child.on("error", (error) => {
    servers.delete(id);
    tell({ id, event: "error", message: error.message });
  });
  if (child.pid === undefined) return;
  servers.set(id, child);
  tell({ id, event: "started", pid: child.pid });
  child.on("exit", (code, killedBy) => {
    servers.delete(id);
    tell({ id, event: "exited", code, signal: killedBy });
  });
}

function end() {
  for (const child of servers.values()) signal(child, "SIGKILL");
  const finish = () => {
    if (servers.size > 0) return void setTimeout(finish, 20);
    if (directory) rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    process.exit(0);
  };
  finish();
}

process.on("message", (message) => {
  if (message.do === "start") start(message);
  else if (message.do === "signal") {
    const child = servers.get(message.id);
    if (child) signal(child, message.signal);
  } else if (message.do === "end") end();
});
process.on("disconnect", end);
for (const name of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(name, end);
