import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { bundleOptions, type Esbuild, type PluginBuild, prepareDist } from "./bundle.ts";
import { callLine, projectPackage } from "./programs.ts";
import type { Task } from "./task.ts";

/** `scaffold dev`: rebuilds the bundle on each change, and starts the new manager as soon as the previous one has exited. */
export async function dev(task: Task): Promise<void> {
  const { root, env, args, json, signal, calls } = task;
  const line = ["dist/main.js", ...args];
  if (calls !== undefined) {
    calls.push("esbuild src/main.ts --bundle --outfile=dist/main.js --watch", callLine(["node", ...line]));
    return;
  }
  const { context } = projectPackage<Esbuild>(root, "esbuild");
  prepareDist(root);
  let child: ChildProcess | undefined;
  let next: (() => void) | undefined;
  const start = () => {
    next = undefined;
    // In its own process group, so that it receives only the signal from here on Ctrl-C, and can shut down gracefully.
    const detached = process.platform !== "win32";
    const stdout = json ? process.stderr : "inherit";
    child = spawn(process.execPath, line, { cwd: root, env, stdio: ["inherit", stdout, "inherit"], detached });
    child.once("exit", () => {
      child = undefined;
      next?.();
    });
  };
  const restart = () => {
    if (signal.aborted) return;
    if (child === undefined) return start();
    // A second signal would force an immediate exit.
    if (next === undefined) child.kill("SIGTERM");
    next ??= start;
  };
  const plugin = {
    name: "restart",
    setup: ({ onEnd }: PluginBuild) => onEnd(({ errors }) => (errors.length === 0 ? restart() : undefined)),
  };
  const watcher = await context({ ...bundleOptions(task), minifyWhitespace: false, plugins: [plugin] });
  const stopped = new Promise<void>((resolve) => {
    const stop = () => {
      const isStopping = next !== undefined;
      next = resolve;
      if (child === undefined) resolve();
      else if (!isStopping) child.kill("SIGTERM");
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  await watcher.watch();
  await stopped;
  await watcher.dispose();
}
