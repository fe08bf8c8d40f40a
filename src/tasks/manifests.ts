import { makefileOptions } from "./makefile.ts";
import { scaffold } from "./programs.ts";
import type { Task } from "./task.ts";

/** Regenerates the manifests as `make manifests` does. */
export async function manifests(task: Task): Promise<void> {
  await scaffold(task, generateCall(task, []));
  if (task.project.helm) await scaffold(task, chartCall([]));
}

/** Returns the call of the generator with the options of `make manifests`, and further flags. */
export function generateCall({ root, env }: Pick<Task, "root" | "env">, flags: readonly string[]): string[] {
  return ["generate", ...makefileOptions(root, env), ...flags];
}

/** Returns the call that updates the Helm chart. It takes those of the generator's flags that prevent writes. */
export function chartCall(flags: readonly string[]): string[] {
  return ["edit", "--helm", "--quiet", ...flags.filter((flag) => ["--check", "--dry-run"].includes(flag))];
}
