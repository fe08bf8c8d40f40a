// The output of kustomize as comparable objects.
import { spawnSync } from "node:child_process";
import { parseAllDocuments } from "yaml";
import { kubectlPath } from "./kubectl.ts";

export type Json = Record<string, unknown>;

/** Returns the objects of a project's deployment, by kind, namespace and name; CRDs without descriptions. */
export function build(root: string): Record<string, Json> {
  const objects = objectsIn(kustomize(root));
  return Object.fromEntries(Object.entries(objects).map(([key, object]) => [key, withoutWords(object)]));
}

/** Builds config/default with kubectl. */
export function kustomize(root: string): string {
  const { status, stdout, stderr } = spawnSync(kubectlPath(), ["kustomize", "config/default"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`kubectl kustomize ended with ${status}: ${stderr}`);
  return stdout;
}

/** Returns the objects of a YAML text, by kind, namespace and name. */
export function objectsIn(text: string): Record<string, Json> {
  const objects = parseAllDocuments(text).map((document) => document.toJS() as Json | null);
  return Object.fromEntries(objects.filter((object) => object !== null).map((object) => [nameOf(object), object]));
}

export function nameOf(object: Json): string {
  const { name, namespace } = object.metadata as { name: string; namespace?: string };
  return `${object.kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
}

/** Removes the descriptions and the generator's version from CRDs. */
export function withoutWords(object: Json): Json {
  if (object.kind !== "CustomResourceDefinition") return object;
  const copy = JSON.parse(
    JSON.stringify(object, (key, value) => (key === "description" && typeof value === "string" ? undefined : value)),
  );
  delete copy.metadata.annotations["controller-gen.kubebuilder.io/version"];
  if (Object.keys(copy.metadata.annotations).length === 0) delete copy.metadata.annotations;
  return copy;
}

interface Container {
  image?: string;
  command?: string[];
  env?: { name: string }[];
  resources: { limits: { memory?: string } };
}

/** The label with which the API server rejects Pods in a namespace that don't meet a Pod Security Standard. */
export const podSecurityLabel = "pod-security.kubernetes.io/enforce";

/** Whether an object is the leader election Role. */
export function isElectionRole(object: Json): boolean {
  return object.kind === "Role" && nameOf(object).endsWith("leader-election-role");
}

/**
 * Removes the allowed differences: the manager's image, command and memory limit; the rules of the leader election Role,
 * which allow one Lease here; and the Pod Security label of the Namespace.
 */
export function tolerate(objects: Record<string, Json>): Record<string, Json> {
  const copy: Record<string, Json> = structuredClone(objects);
  for (const object of Object.values(copy)) {
    if (isElectionRole(object)) delete object.rules;
    if (object.kind === "Namespace") delete (object.metadata as { labels: Json }).labels[podSecurityLabel];
    if (object.kind === "Deployment") for (const container of containersOf(object)) forget(container);
  }
  return copy;
}

/** Returns the containers of a Deployment. */
export function containersOf(deployment: Json): Container[] {
  return (deployment.spec as { template: { spec: { containers: Container[] } } }).template.spec.containers;
}

function forget(container: Container): void {
  delete container.image;
  delete container.command;
  delete container.resources.limits.memory;
}
