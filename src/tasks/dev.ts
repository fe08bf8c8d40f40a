import { type ChildProcess, spawn } from "node:child_process";
import { type BuildPlugin, bundleLine, bundleOptions, loadEsbuild, prepareDist } from "./bundle.ts";
import type { Task, TaskContext } from "./task.ts";

/** `scaffold dev` */
export const dev: Task = {
  description: "Run the manager on this machine. On each change, bundle it again and restart it.",
  variables: [],
  flagsFor: "the manager",
  async run(context) {
    prepareDist(context);
    await context.runner.step(`${bundleLine} --watch`, () => watch(context));
    if (context.runner.dryRun) await context.runner.runManager(["dist/main.js", ...context.args]);
  },
};

/** Rebuilds the bundle on each change until it is interrupted. Starts the new manager as soon as the previous one has exited. */
async function watch(context: TaskContext): Promise<void> {
  const { root, args, signal } = context;
  let child: ChildProcess | undefined;
  let next: (() => void) | undefined;
  const start = () => {
    next = undefined;
    // In its own process group, so that it receives only the signal from here on Ctrl-C, and can shut down gracefully.
    const detached = process.platform !== "win32";
    child = spawn(process.execPath, ["dist/main.js", ...args], { cwd: root, stdio: "inherit", detached });
    child.once("exit", () => {
      child = undefined;
      next?.();
    });
  };
  const restart = () => {
    if (child === undefined) return start();
    // A second signal would force an immediate exit.
    if (next === undefined) child.kill("SIGTERM");
    next ??= start;
  };
  const plugin: BuildPlugin = {
    name: "restart",
    setup: ({ onEnd }) =>
      onEnd(({ errors }) => {
        if (errors.length === 0 && !signal.aborted) restart();
      }),
  };
  const esbuild = loadEsbuild(root);
  const watcher = await esbuild.context({ ...bundleOptions(context), minifyWhitespace: false, plugins: [plugin] });
  await watcher.watch();
  await new Promise<void>((resolve) => {
    const end = () => {
      // While a restart waits for the previous manager, that one has already received its signal.
      const isStopping = next !== undefined;
      next = resolve;
      if (child === undefined) resolve();
      else if (!isStopping) child.kill("SIGTERM");
    };
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
  await watcher.dispose();
}
