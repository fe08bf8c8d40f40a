import { metricsServiceName, testClusterName } from "../../project/names.ts";
import { ProblemError } from "../../project/problem-error.ts";
import type { PackageIdentity } from "../../project/repo.ts";
import { qualifiedGroup } from "../../project/resource.ts";
import type { WebhookCertificates } from "../../project/webhook-certs.ts";
import type { Plan } from "../files/operation.ts";
import type { Tree } from "../files/tree.ts";
import { boilerplatePath, fileHeader } from "../parts/boilerplate.ts";
import { mergePackageJson } from "../parts/package-json.ts";
import { manifestsOptions, projectTools } from "../parts/versions.ts";
import { PlanBuilder } from "../plan/plan.ts";
import type { Templates } from "../templates/templates.ts";
import type { PackageReferences } from "../vendor/sources.ts";
import { type PackageManager, settlePackageManager } from "./package-manager.ts";

/** The input of `init`. All values are validated. */
export interface InitInput {
  readonly projectName: string;
  readonly domain: string;
  /** The value as typed. */
  readonly repo: string;
  readonly npm: PackageIdentity;
  /** The text of `hack/boilerplate.txt`, empty for none. */
  readonly boilerplate: string;
  readonly year: number;
  readonly namespaced: boolean;
  readonly webhookCerts: WebhookCertificates;
  /** Whether to render a Helm chart from config/. */
  readonly helm?: boolean;
  readonly projectText: string;
  readonly references: PackageReferences;
  /** The default is npm. */
  readonly packageManager?: PackageManager;
}

/** Files that users may have created before, such as those of a new repository. They are kept. */
export const usersOwn = /^(README\.md|AGENTS\.md|\.gitignore|\.dockerignore|\.github\/.*)$/;

/**
 * Refuses a directory that is a project already.
 *
 * @throws ProblemError if PROJECT exists
 */
export function refuseProject(tree: Tree): void {
  if (tree.read("PROJECT") === undefined) return;
  throw new ProblemError(
    "project-exists",
    "this directory already contains a project: it has a PROJECT file",
    "to add a kind to it, run npx scaffold create api",
  );
}

/**
 * Plans a new project.
 *
 * @throws ProblemError if there is a project already, or files already exist
 */
export async function planInit(tree: Tree, templates: Templates, input: InitInput): Promise<Plan> {
  refuseProject(tree);
  const plan = new PlanBuilder(tree, {});
  const values = {
    projectName: input.projectName,
    metricsService: metricsServiceName(input.projectName),
    testCluster: testClusterName(input.projectName),
    domain: input.domain,
    repo: input.repo,
    packageName: input.npm.name,
    repository: input.npm.repository ?? "",
    header: fileHeader(input.boilerplate, input.year),
    namespaced: input.namespaced,
    selfCertificates: input.webhookCerts === "self",
    issuedCertificates: input.webhookCerts === "cert-manager",
    certificateFiles: input.webhookCerts === "files",
    helm: input.helm === true,
    roleKind: input.namespaced ? "Role" : "ClusterRole",
    // An empty domain adds no dot: the name of a Lease can't end with one.
    leaderElectionID: qualifiedGroup(fnv32a(input.repo), input.domain),
    kubewrightSpec: input.references.kubewright,
    runtimeSpec: input.references.runtime,
    apiserverSpec: input.references.apiserver,
    versions: projectTools,
    manifestsOptions,
  };
  for (const { path, content } of templates.render("init", values)) {
    for (const target of plan.both()) {
      if (path === "package.json") target.joined(path, content, (theirs) => mergePackageJson(theirs, content));
      else if (path === ".gitattributes") target.joined(path, content, (theirs) => withLines(theirs, content));
      else target.file(path, content, usersOwn.test(path) ? "keep" : "refuse");
    }
  }
  if (input.packageManager !== undefined) settlePackageManager(plan, input.packageManager);
  if (input.boilerplate !== "") {
    for (const target of plan.both()) target.file(boilerplatePath, input.boilerplate, "refuse");
  }
  plan.artifact("PROJECT", input.projectText);
  for (const { path, content } of input.references.files) plan.artifact(path, await content);
  return plan.build();
}

/** Adds the lines of a scaffolded text that the user's text doesn't have. */
function withLines(theirs: string, scaffolded: string): { readonly text: string; readonly notes: readonly string[] } {
  const eol = theirs.includes("\r\n") ? "\r\n" : "\n";
  const present = new Set(theirs.split(/\r?\n/));
  const missing = scaffolded
    .trimEnd()
    .split("\n")
    .filter((line) => !present.has(line));
  const before = theirs === "" || theirs.endsWith("\n") ? theirs : theirs + eol;
  return { text: before + missing.map((line) => line + eol).join(""), notes: [] };
}

/** Returns the 32-bit FNV-1a hash in hexadecimal, from which kubebuilder derives the name of the leader election lease. */
function fnv32a(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0");
}
