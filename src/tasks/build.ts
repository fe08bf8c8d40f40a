import { bundle, installPackages } from "./bundle.ts";
import type { Task, TaskContext } from "./task.ts";

/** `scaffold build` */
export const build: Task = {
  description: "Update the manifests, format the code, check its types, and bundle the manager into dist/main.js.",
  variables: [],
  flags: ["bundle-only"],
  async run(context) {
    if (!context.bundleOnly) await check(context);
    await bundle(context);
  },
};

/** Updates the manifests, formats the code and checks its types: `manifests`, `fmt` and `vet` of kubebuilder's Makefile. */
export async function check({ runner, generate }: TaskContext): Promise<void> {
  const how = { progress: true, install: installPackages };
  await generate();
  await runner.run("biome", ["format", "--write", "."], how);
  await runner.run("tsc", ["--noEmit"], how);
}
