// Scaffolds projects with a kind Game, and installs their packages. Needs a built checkout.
import { cpSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../scripts/lib/run.mjs";
import { linkPackages } from "../../scripts/test-support/packages.ts";
import { scaffold } from "../../scripts/test-support/scaffold.ts";

const kind = ["--group", "myapp", "--version", "v1", "--kind", "Game"];
const names = ["--project-name", "mygame", "--domain", "qingwave.github.io", "--repo", "qingwave.github.io/mygame"];

/**
 * Creates a project in a new temporary directory.
 *
 * @param examples - directories under examples/ that are copied into it; with `game-webhook`, webhooks are scaffolded
 * @returns the path
 */
export async function gameProject(...examples: string[]): Promise<string> {
  const project = realpathSync(mkdtempSync(join(tmpdir(), "kubewright-bench-")));
  const steps = [
    ["init", ...names, "--fetch-deps=false"],
    ["create", "api", ...kind],
  ];
  if (examples.includes("game-webhook")) {
    steps.push(["create", "webhook", ...kind, "--defaulting", "--programmatic-validation"]);
  }
  for (const step of steps) await scaffold(project, ...step);
  for (const part of examples) cpSync(join(root, "examples", part), project, { recursive: true });
  await linkPackages(project);
  await scaffold(project, "generate", "crd", "paths=./...", "output:crd:artifacts:config=config/crd/bases");
  return project;
}
