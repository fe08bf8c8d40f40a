import { check } from "./build.ts";
import { bundle } from "./bundle.ts";
import type { Task } from "./task.ts";

/** `scaffold run` */
export const run: Task = {
  description:
    "Run the manager on this machine: update the manifests, format the code, check its types, bundle, and start. The exit code is that of the manager.",
  variables: [],
  flagsFor: "the manager",
  async run(context) {
    await check(context);
    await bundle(context);
    await context.runner.runManager(["dist/main.js", ...context.args]);
  },
};
