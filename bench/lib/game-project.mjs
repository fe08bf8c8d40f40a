// Scaffolds projects with a kind Game, and installs their packages. Needs a built checkout.
import { cpSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { register } from "tsx/esm/api";
import { root, run } from "../../scripts/lib/run.mjs";

register();
const { linkPackages } = await import("../../scripts/test-support/packages.ts");

export const scaffold = join(root, "bin/scaffold.js");
const kind = ["--group", "myapp", "--version", "v1", "--kind", "Game"];
const names = ["--project-name", "mygame", "--domain", "qingwave.github.io", "--repo", "qingwave.github.io/mygame"];

/**
 * Creates a project in a new temporary directory.
 *
 * @param examples - directories under examples/ that are copied into it; with `game-webhook`, webhooks are scaffolded
 * @returns the path
 */
export async function gameProject(...examples) {
  const project = realpathSync(mkdtempSync(join(tmpdir(), "kubewright-bench-")));
  const steps = [
    ["init", ...names, "--fetch-deps=false"],
    ["create", "api", ...kind],
  ];
  if (examples.includes("game-webhook")) {
    steps.push(["create", "webhook", ...kind, "--defaulting", "--programmatic-validation"]);
  }
  const call = async (step) => {
    const { code, stderr } = await run(process.execPath, [scaffold, ...step], { cwd: project });
    if (code !== 0) throw new Error(`scaffold ${step.join(" ")}: ${stderr}`);
  };
  for (const step of steps) await call(step);
  for (const part of examples) cpSync(join(root, "examples", part), project, { recursive: true });
  await linkPackages(project);
  await call(["generate", "crd", "paths=./...", "output:crd:artifacts:config=config/crd/bases"]);
  return project;
}
