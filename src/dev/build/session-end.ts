/** Milliseconds between two checks whether the session still runs. */
const checkTime = 500;
/** Milliseconds for a manager to stop gracefully after the end of its session. */
const stopTime = 5000;

/**
 * Returns code that ends a manager after its session, even if the session is killed. A separate thread kills the process if
 * its code blocks the event loop, which then can't notice that the channel to the session was closed.
 *
 * @param pid - process id of the session
 */
export function endWithSession(pid: number): string {
  const hasEnded =
    process.platform === "win32"
      ? `(() => { try { process.kill(${pid}, 0); return false; } catch { return true; } })()`
      : `process.ppid !== ${pid}`;
  const kill = `setTimeout(() => process.kill(process.pid, "SIGKILL"), ${stopTime})`;
  const watch = `const timer = setInterval(() => { if (${hasEnded}) { clearInterval(timer); ${kill}; } }, ${checkTime});`;
  return [
    `new (process.getBuiltinModule("node:worker_threads").Worker)(${JSON.stringify(watch)}, { eval: true, execArgv: [], env: {} }).unref();`,
    `process.once("disconnect", () => { process.kill(process.pid, "SIGTERM"); ${kill}.unref(); });`,
    "process.channel?.unref();",
    // After the end of the session, the output is closed: a log line would end the process before its cleanup.
    `for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});`,
  ].join("\n");
}
