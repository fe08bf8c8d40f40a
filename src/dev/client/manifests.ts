import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../../kubernetes/json.ts";
import { readValues } from "../../yaml/values.ts";
import type { KubeObject } from "./kube-client.ts";

/** Directories of a project's manifests. */
export const crdDirectory = "config/crd/bases";
export const sampleDirectory = "config/samples";

/** A directory's documents, and the files that can't be read. */
export interface Documents {
  readonly documents: readonly KubeObject[];
  readonly problems: readonly { readonly file: string; readonly message: string }[];
}

/** Reads the documents of a directory, in the order of the file names. */
export function readDocuments(root: string, directory: string): Documents {
  const documents: KubeObject[] = [];
  const problems: { file: string; message: string }[] = [];
  const path = join(root, directory);
  const names = existsSync(path) ? readdirSync(path).filter((name) => /\.(ya?ml|json)$/.test(name)) : [];
  for (const name of names.sort()) {
    if (/^kustomiz(ation|econfig)\.ya?ml$/.test(name)) continue;
    const file = `${directory}/${name}`;
    try {
      documents.push(...parseDocuments(readFileSync(join(root, file), "utf8")));
    } catch (error) {
      problems.push({ file, message: (error as Error).message.split("\n")[0] ?? "" });
    }
  }
  return { documents, problems };
}

/**
 * Parses YAML documents.
 *
 * @throws YamlError if the text isn't valid YAML
 */
export function parseDocuments(text: string): KubeObject[] {
  return readValues(text).filter((value): value is KubeObject => isObject(value) && typeof value.kind === "string");
}

/** Reads the CRDs of a project. */
export function readDefinitions(root: string): Documents {
  const { documents, problems } = readDocuments(root, crdDirectory);
  return { documents: documents.filter(({ kind }) => kind === "CustomResourceDefinition"), problems };
}

export const policyDirectory = "config/policy";
/** The generator writes the validating ones; people write others beside them. */
const policyKinds = ["ValidatingAdmissionPolicy", "MutatingAdmissionPolicy"].flatMap((kind) => [
  kind,
  `${kind}Binding`,
]);

/** Reads the admission policies of a project. */
export function readPolicies(root: string): Documents {
  const { documents, problems } = readDocuments(root, policyDirectory);
  return { documents: documents.filter(({ kind = "" }) => policyKinds.includes(kind)), problems };
}

/** Returns whether the project has admission webhooks. */
export function hasWebhooks(root: string): boolean {
  return existsSync(join(root, "config/webhook/manifests.yaml"));
}

const webhookKinds = ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"];

/** Returns the kinds of webhook configurations that the project has. A file that can't be read has none. */
export function readWebhookKinds(root: string): string[] {
  const { documents } = readDocuments(root, "config/webhook");
  return webhookKinds.filter((kind) => documents.some((document) => document.kind === kind));
}

/** Returns the names of the project's webhooks for admission. A file that can't be read has none. */
export function readWebhookNames(root: string): string[] {
  const { documents } = readDocuments(root, "config/webhook");
  return documents
    .filter(({ kind = "" }) => webhookKinds.includes(kind))
    .flatMap(({ webhooks }) => (Array.isArray(webhooks) ? (webhooks as { name?: unknown }[]) : []))
    .flatMap(({ name }) => (typeof name === "string" ? [name] : []));
}
