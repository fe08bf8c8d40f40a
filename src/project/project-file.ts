import { isMap, isSeq } from "yaml";
import { editDocument } from "../yaml/document.ts";
import { isLabel, isSubdomain, shown } from "./names.ts";
import { groupDirectory } from "./paths.ts";
import { type Problem, stateProblem } from "./problem.ts";
import { wrongResource } from "./recorded-resource.ts";
import { qualifiedGroup, type Resource, resource, unrecordedPlural } from "./resource.ts";
import {
  defaultCertificates,
  isWebhookCertificates,
  type WebhookCertificates,
  webhookCertificates,
} from "./webhook-certs.ts";

/** The plugin key that this scaffolder's projects carry in `layout`. */
export const LAYOUT = "ts.kubewright.io/v1";

/** A resource as PROJECT records it, in kubebuilder's keys. */
export interface ProjectResource {
  readonly group?: string;
  readonly domain?: string;
  readonly version: string;
  readonly kind: string;
  readonly plural?: string;
  readonly path?: string;
  readonly api?: { readonly crdVersion?: string; readonly namespaced?: boolean };
  readonly controller?: boolean;
  readonly controllers?: readonly { readonly name: string }[];
  readonly core?: boolean;
  readonly external?: boolean;
  readonly module?: string;
  readonly webhooks?: RecordedWebhooks;
  /** Of a kind from elsewhere whose objects live in no namespace; recorded at {@link clusterScopedKey}. */
  readonly clusterScoped?: boolean;
}

/** The webhooks of a resource in kubebuilder's keys. */
export interface RecordedWebhooks {
  readonly webhookVersion?: string;
  readonly defaulting?: boolean;
  readonly validation?: boolean;
  readonly conversion?: boolean;
  readonly spoke?: readonly string[];
  readonly defaultingPath?: string;
  readonly validationPath?: string;
}

/** What PROJECT says. Keys that nobody here knows stay in the document. */
export interface Project {
  /** The version that scaffolded it last, if it is known. */
  readonly cliVersion?: string;
  readonly domain: string;
  readonly projectName: string;
  readonly repo: string;
  readonly multigroup: boolean;
  readonly namespaced: boolean;
  /** Recorded as `plugins."ts.kubewright.io/v1".webhookCerts`. */
  readonly webhookCerts: WebhookCertificates;
  /** Whether a Helm chart is rendered beside config/. */
  readonly helm: boolean;
  readonly resources: readonly ProjectResource[];
  /** The text that the project was read from. */
  readonly text: string;
}

/** Where PROJECT says that there is a chart: among what is ours alone. */
export const helmKey = ["plugins", LAYOUT, "helm"] as const;

/** Where PROJECT lists the kinds from elsewhere that are cluster-scoped: kubebuilder's keys have no place for their scope. */
export const clusterScopedKey = ["plugins", LAYOUT, "clusterScoped"] as const;

const header = ` Written by kubewright: what this project was scaffolded from, and what its commands go by.
 Keys and meanings are those of kubebuilder's project configuration.`;

/** Where PROJECT records how webhooks get their certificate: kubebuilder leaves what belongs to a plugin alone. */
export const certificatesPath = ["plugins", LAYOUT, "webhookCerts"] as const;

/** How PROJECT is laid out. */
export const format = { indentSeq: false, lineWidth: 0, minContentWidth: 0 };

/** The text of a new PROJECT file. */
export function newProjectText(input: {
  domain: string;
  projectName: string;
  repo: string;
  cliVersion: string;
  multigroup: boolean;
  namespaced: boolean;
  webhookCerts?: WebhookCertificates;
}): string {
  const { webhookCerts = defaultCertificates } = input;
  const document = editDocument("{}\n");
  document.contents = document.createNode({
    cliVersion: input.cliVersion,
    domain: input.domain,
    layout: [LAYOUT],
    ...(input.multigroup ? { multigroup: true } : {}),
    ...(input.namespaced ? { namespaced: true } : {}),
    ...(webhookCerts === defaultCertificates ? {} : { plugins: { [LAYOUT]: { webhookCerts } } }),
    projectName: input.projectName,
    repo: input.repo,
    version: "3",
  }) as typeof document.contents;
  document.commentBefore = header;
  return document.toString(format).replace(/^(#[^\n]*\n)\n/m, "$1");
}

/** Reads a PROJECT file. What it can't be taken for is a problem, never an exception. */
export function readProject(text: string): Project | Problem {
  const document = editDocument(text, { prettyErrors: true });
  const [error] = document.errors;
  if (error !== undefined) return broken((error.message.split("\n")[0] ?? "it is not YAML").replace(/:$/, ""));
  if (text.trim() === "") return broken("it is empty");
  if (!isMap(document.contents)) return broken("it is not a map of keys");
  const data = document.toJS() as Record<string, unknown>;
  if (data.version === undefined) return broken("version is missing");
  if (String(data.version) !== "3")
    return broken(`version is ${JSON.stringify(data.version)}, "3" is what is understood`);
  if (data.layout === undefined) return broken("layout is missing");
  const layout = (Array.isArray(data.layout) ? data.layout : [data.layout]).map(String);
  if (!layout.includes(LAYOUT)) {
    return stateProblem(
      "foreign-project",
      `PROJECT was made by another tool: its layout is ${layout.join(", ")}, not ${LAYOUT}`,
      "scaffold migrate, in a directory of its own, makes a project of one of kubebuilder; scaffold init starts a new one",
    );
  }
  const wrong = wrongKey(data);
  if (wrong !== undefined) return broken(wrong);
  const webhookCerts = document.getIn(certificatesPath) ?? defaultCertificates;
  if (!isWebhookCertificates(webhookCerts)) {
    return broken(`${certificatesPath.join(".")} is none of ${webhookCertificates.join(", ")}`);
  }
  const resources = data.resources ?? [];
  if (!Array.isArray(resources)) return broken("resources is no list");
  for (const [index, entry] of resources.entries()) {
    const why = wrongResource(entry);
    if (why !== undefined) return broken(`resources[${index}]${why}`);
  }
  return {
    ...(typeof data.cliVersion === "string" ? { cliVersion: data.cliVersion } : {}),
    domain: typeof data.domain === "string" ? data.domain : "",
    projectName: data.projectName as string,
    repo: data.repo as string,
    multigroup: data.multigroup === true,
    namespaced: data.namespaced === true,
    webhookCerts,
    helm: document.getIn(helmKey) === true,
    resources: withScopes(resources as ProjectResource[], document.getIn(clusterScopedKey)),
    text,
  };
}

/** How the list of cluster-scoped kinds names one. */
export function scopeName({ group = "", domain = "", version, kind }: ProjectResource): string {
  return `${qualifiedGroup(group, domain)}/${version}/${kind}`;
}

function withScopes(resources: readonly ProjectResource[], listed: unknown): readonly ProjectResource[] {
  const names: unknown = isSeq(listed) ? listed.toJSON() : [];
  if (!Array.isArray(names) || names.length === 0) return resources;
  return resources.map((entry) =>
    entry.external === true && names.includes(scopeName(entry)) ? { ...entry, clusterScoped: true } : entry,
  );
}

/** What of the project's own keys can't be worked with: they become names of files and objects. */
function wrongKey(data: Readonly<Record<string, unknown>>): string | undefined {
  for (const key of ["projectName", "repo"] as const) {
    if (typeof data[key] !== "string" || data[key] === "") return `${key} is missing`;
  }
  for (const key of ["multigroup", "namespaced"] as const) {
    if (data[key] !== undefined && typeof data[key] !== "boolean") return `${key} is neither true nor false`;
  }
  const { domain = "", projectName, repo } = data;
  if (!/^[\w@~./:+-]{1,300}$/.test(String(repo))) return `repo ${shown(String(repo))} isn't a valid package name`;
  if (!isLabel(projectName)) return `projectName ${shown(String(projectName))} is no DNS label`;
  if (domain !== null && domain !== "" && !isSubdomain(domain)) return `domain ${shown(String(domain))} is no DNS name`;
  return undefined;
}

function broken(why: string): Problem {
  return stateProblem("broken-project", `PROJECT can't be read: ${why}`, "restore it from version control");
}

/** A group without the project's domain keeps directories of its own where it is recorded with them. */
function isApart({ group = "", domain = "", version, path = "", core, external }: ProjectResource): boolean {
  return (
    core !== true && external !== true && domain === "" && path.endsWith(`/api/${groupDirectory(group)}/${version}`)
  );
}

/** The model of a recorded resource. */
export function modelOf(entry: ProjectResource): Resource {
  return resource({
    group: entry.group ?? "",
    domain: entry.domain ?? "",
    version: entry.version,
    kind: entry.kind,
    plural: entry.plural ?? unrecordedPlural(entry.kind),
    namespaced: entry.external === true ? entry.clusterScoped !== true : entry.api?.namespaced === true,
    origin: entry.core === true ? "core" : entry.external === true ? "external" : "own",
    ...(entry.external === true && entry.path !== undefined ? { module: entry.path } : {}),
    apart: isApart(entry),
  });
}
