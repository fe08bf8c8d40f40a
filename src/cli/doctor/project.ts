import { existsSync } from "node:fs";
import { join } from "node:path";
import { displayPath } from "../../diagnostics/index.ts";
import { ProblemError } from "../../project/problem-error.ts";
import { type Project, readProject } from "../../project/project-file.ts";
import { missingParts } from "../../scaffold/commands/inspect.ts";
import { wasInterrupted } from "../../scaffold/files/journal.ts";
import { openTree, type Tree } from "../../scaffold/files/tree.ts";
import { conversionsWithoutWebhooks } from "../../scaffold/parts/config-options.ts";
import { pristinePath } from "../../scaffold/pristine/pristine.ts";
import { CliError } from "../framework/errors.ts";
import { cliVersion } from "../framework/version.ts";
import { cacheFor } from "../generate-call/cache.ts";
import { projectRequest } from "../generate-call/call.ts";
import { wayToProject } from "../models/nearest-project.ts";
import type { Check } from "./check.ts";
import { checkPackages } from "./packages.ts";

/** The project in a directory, and its checks in the order in which to fix them. */
export interface CheckedProject {
  /** Undefined without a valid project. */
  readonly project?: Project;
  readonly checks: readonly Check[];
}

/** Checks the project in a directory. */
export async function checkProject(cwd: string): Promise<CheckedProject> {
  const tree = openTree(cwd);
  if (wasInterrupted(tree.root)) {
    const message = "a command was killed while it wrote to this project, and its changes are incomplete";
    const hint = "the next command that changes the project undoes them first";
    return { checks: [{ id: "interrupted-run", status: "missing", message, hint }] };
  }
  const text = tree.readText("PROJECT");
  if (text === undefined) {
    const message = "no project found in this directory";
    const way = wayToProject(cwd);
    const hint =
      way === undefined ? "start one with npx kubewright init" : `the project is in a parent directory: ${way}`;
    return { checks: [{ id: "project", status: "notice", message, hint }] };
  }
  const project = readProject(text);
  if ("message" in project) {
    const { id, message, hint } = project;
    return { checks: [{ id, status: "missing", message, hint, file: "PROJECT" }] };
  }
  const parts = checkParts(tree, project);
  const whole = parts.every(({ status }) => status === "ok");
  const checks = [
    ...parts,
    checkPristine(cwd),
    ...checkPackages(cwd),
    checkVersion(project),
    // Manifests can't be generated while parts of the project are missing.
    ...(whole ? await checkManifests(cwd) : []),
    ...checkConversion(tree, project),
  ].filter((check) => check !== undefined);
  return { project, checks };
}

function checkParts(tree: Tree, project: Project): Check[] {
  let missing: Check[];
  try {
    missing = missingParts(tree, project).map((part): Check => ({ ...part, status: "missing" }));
  } catch (error) {
    if (!(error instanceof ProblemError) || error.id !== "damaged-archive") throw error;
    return [{ id: error.id, status: "missing", message: error.message, hint: error.hint, file: pristinePath }];
  }
  if (missing.length > 0) return missing;
  const kinds = project.resources.length;
  const message = `project ${project.projectName}: ${kinds} ${kinds === 1 ? "resource" : "resources"}, complete`;
  return [{ id: "project", status: "ok", message }];
}

function checkPristine(cwd: string): Check | undefined {
  if (existsSync(join(cwd, ".kubewright"))) return undefined;
  return {
    id: "pristine",
    status: "notice",
    message: ".kubewright not found: scaffold delete and upgrade can't detect your changes",
    hint: "restore it from version control",
  };
}

/** Checks whether the project was scaffolded or upgraded with the running version. */
function checkVersion({ cliVersion: last }: Project): Check | undefined {
  if (last === undefined || last === cliVersion()) return undefined;
  const message = `this project was scaffolded with kubewright ${last}, but ${cliVersion()} is running`;
  return { id: "upgrade", status: "notice", message, hint: "preview the upgrade with npx scaffold upgrade --dry-run" };
}

/** Checks for CRDs that need a conversion webhook while no webhooks are deployed: the API server can't serve their versions. */
function checkConversion(tree: Tree, project: Project): Check[] {
  return conversionsWithoutWebhooks(tree, project).map((kind) => ({
    id: "conversion-without-webhook",
    status: "missing",
    message: `config/default deploys no webhooks, but the CRD of ${kind} requires a conversion webhook: its versions can't be served`,
    hint: "npx scaffold edit --enable webhook deploys the webhooks; --disable webhook removes the conversion from the CRD",
    file: "config/crd/kustomization.yaml",
  }));
}

/** Checks whether the generated manifests are up to date. */
async function checkManifests(cwd: string): Promise<Check[]> {
  const check = (status: Check["status"], message: string, hint?: string): Check[] => [
    { id: "manifests", status, message, ...(hint === undefined ? {} : { hint }) },
  ];
  const { generate } = await import("../../generate/generate.ts");
  try {
    const { plan, diagnostics } = await generate(await projectRequest(cwd), cacheFor(cwd, true));
    if (diagnostics.some(({ severity }) => severity === "error")) {
      const message = "manifests can't be generated: the types or markers have errors";
      return check("notice", message, "run make manifests to see the errors");
    }
    const unmade = diagnostics.filter(({ id }) => id === "missing-crd");
    if (unmade.length > 0) {
      return unmade.map(({ id, message, file, hint }) => {
        const place = displayPath(file, cwd);
        return { id, status: "missing", message: `${place}: ${message}`, hint, file: place };
      });
    }
    const stale = plan.writes.filter(({ action }) => action !== "unchanged").map(({ path }) => displayPath(path, cwd));
    if (stale.length === 0) return check("ok", "manifests are up to date");
    const [first, second, ...more] = stale;
    const files = [first, second, ...(more.length === 0 ? [] : [`${more.length} more`])].filter(Boolean).join(", ");
    return check(
      "notice",
      `manifests are not up to date: ${files}`,
      "update them with make manifests (or npm run manifests)",
    );
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return check("missing", error.message, error.hint);
  }
}
