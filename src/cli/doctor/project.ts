import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { displayPath } from "../../diagnostics/index.ts";
import { parseOptions } from "../../generate/options/index.ts";
import { readProject } from "../../project/project-file.ts";
import { missingParts } from "../../scaffold/inspect.ts";
import { wasInterrupted } from "../../scaffold/journal.ts";
import { openTree } from "../../scaffold/tree.ts";
import { projectOptions } from "../commands/generate/config.ts";
import { cliVersion } from "../version.ts";
import type { Check } from "./check.ts";

/** What the project in a directory lacks. */
export async function checkProject(cwd: string): Promise<Check[]> {
  const tree = openTree(cwd);
  if (wasInterrupted(tree.root)) {
    return [
      {
        id: "interrupted-run",
        status: "missing",
        message: "a command was killed while it wrote to this project, and half of its files are there",
        hint: "the next command that changes the project takes them back first",
      },
    ];
  }
  const text = tree.readText("PROJECT");
  if (text === undefined) {
    return [
      { id: "project", status: "notice", message: "project: none in this directory", hint: "scaffold init starts one" },
    ];
  }
  const project = readProject(text);
  if ("message" in project) {
    return [{ id: project.id, status: "missing", message: project.message, hint: project.hint, file: "PROJECT" }];
  }
  const missing = missingParts(tree, project).map((part): Check => ({ ...part, status: "missing" }));
  const kinds = project.resources.length;
  const ok: Check = {
    id: "project",
    status: "ok",
    message: `project ${project.projectName}: ${kinds} ${kinds === 1 ? "resource" : "resources"}, all parts there`,
  };
  return [
    ...(missing.length === 0 ? [ok] : missing),
    checkPristine(cwd),
    ...checkPackages(cwd),
    // With files gone there is nothing to compare with.
    ...(missing.length === 0 ? [await checkManifests(cwd)] : []),
  ].filter((check) => check !== undefined);
}

function checkPristine(cwd: string): Check | undefined {
  if (existsSync(join(cwd, ".kubewright"))) return undefined;
  return {
    id: "pristine",
    status: "notice",
    message: ".kubewright is not there: scaffold delete and upgrade can't tell what you changed",
    hint: "restore it from version control",
  };
}

/** Installed packages, by what package.json asks for. */
function checkPackages(cwd: string): Check[] {
  const install = "npm install (or pnpm, yarn) gets what package.json asks for";
  return ["kubewright", "@kubewright/runtime"].map((name): Check => {
    const manifest = join(cwd, "node_modules", name, "package.json");
    if (!existsSync(manifest))
      return { id: "packages", status: "notice", message: `${name} is not installed`, hint: install };
    const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version?: string };
    return { id: "packages", status: "ok", message: `${name} ${version ?? ""}`.trim() };
  });
}

/** Whether what `make manifests` writes is what lies there. */
async function checkManifests(cwd: string): Promise<Check> {
  const { generate } = await import("../../generate/generate.ts");
  const { config } = parseOptions(projectOptions);
  if (config === undefined) throw new Error("the project's own generator options don't parse");
  const { plan, diagnostics } = await generate({
    cwd,
    config,
    unknownMarkers: "error",
    strict: false,
    prune: false,
    reader: "auto",
    toolVersion: `kubewright-v${cliVersion()}`,
  });
  const hint = "make manifests (or npm run manifests) writes them";
  if (diagnostics.some(({ severity }) => severity === "error")) {
    return {
      id: "manifests",
      status: "notice",
      message: "manifests can't be made: the types or markers have errors",
      hint: "make manifests shows them",
    };
  }
  const stale = plan.writes.filter(({ action }) => action !== "unchanged").map(({ path }) => displayPath(path, cwd));
  if (stale.length === 0)
    return { id: "manifests", status: "ok", message: "manifests are what the types and markers say" };
  return { id: "manifests", status: "notice", message: `manifests are not up to date: ${stale.join(", ")}`, hint };
}
