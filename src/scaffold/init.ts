import { metricsServiceName, testClusterName } from "../project/names.ts";
import type { PackageIdentity } from "../project/repo.ts";
import type { WebhookCertificates } from "../project/webhook-certs.ts";
import { boilerplatePath, fileHeader } from "./boilerplate.ts";
import type { Plan } from "./operation.ts";
import { mergePackageJson } from "./package-json.ts";
import { type PackageManager, settlePackageManager } from "./package-manager.ts";
import { PlanBuilder } from "./plan.ts";
import { ScaffoldError } from "./scaffold-error.ts";
import type { Templates } from "./templates.ts";
import type { Tree } from "./tree.ts";
import type { PackageReferences } from "./vendor/sources.ts";
import { manifestsOptions, projectTools } from "./versions.ts";

/** What `init` makes a project from; everything has been checked. */
export interface InitInput {
  readonly projectName: string;
  readonly domain: string;
  /** As it was typed. */
  readonly repo: string;
  readonly npm: PackageIdentity;
  /** The text of `hack/boilerplate.txt`, empty for none. */
  readonly boilerplate: string;
  readonly year: number;
  readonly namespaced: boolean;
  readonly webhookCerts: WebhookCertificates;
  /** Whether a Helm chart is rendered beside config/. */
  readonly helm?: boolean;
  readonly projectText: string;
  readonly references: PackageReferences;
  /** Without one the project is scaffolded as npm's. */
  readonly packageManager?: PackageManager;
}

/** Files that people have before they start (a fresh repository comes with some): theirs stay. */
const usersOwn = /^(README\.md|AGENTS\.md|\.gitignore|\.dockerignore|\.github\/.*)$/;

/** Throws a ScaffoldError when the tree is a project already. */
export function refuseProject(tree: Tree): void {
  if (tree.read("PROJECT") === undefined) return;
  throw new ScaffoldError(
    "project-exists",
    "this directory already contains a project: it has a PROJECT file",
    "to add a kind to it, run npx scaffold create api",
  );
}

/** The plan of a new project. Throws a ScaffoldError when there is one already or files are in the way. */
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
    leaderElectionID: `${fnv32a(input.repo)}.${input.domain}`,
    kubewrightSpec: input.references.kubewright,
    runtimeSpec: input.references.runtime,
    versions: projectTools,
    manifestsOptions,
    manifestsOptionList: manifestsOptions.split(" "),
  };
  for (const { path, content } of templates.render("init", values)) {
    for (const target of plan.both()) {
      if (path === "package.json") target.joined(path, content, (theirs) => mergePackageJson(theirs, content));
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

/** The 32-bit FNV-1a hash in hexadecimal, as kubebuilder makes the name of the leader's lease. */
function fnv32a(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0");
}
