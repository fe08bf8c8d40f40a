import { resolve } from "node:path";
import { editDocuments } from "../../../yaml/document.ts";
import type { DelegatedRule } from "../../source/api-calls/model.ts";
import type { Files } from "../../source/files.ts";
import type { Grant } from "./grants.ts";

interface Manifest {
  readonly kind?: string;
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
  readonly rules?: readonly {
    readonly apiGroups?: readonly string[];
    readonly resources?: readonly string[];
    readonly resourceNames?: readonly string[];
    readonly verbs?: readonly string[];
    readonly nonResourceURLs?: readonly string[];
  }[];
  readonly aggregationRule?: unknown;
  readonly roleRef?: { readonly kind?: string; readonly name?: string };
  readonly subjects?: readonly { readonly kind?: string; readonly name?: string }[];
}

const everything: Grant = { groups: ["*"], resources: ["*"], verbs: ["*"], names: [], namespace: "", urls: ["*"] };

/** The roles among the files of a project. */
interface BoundRights {
  /** The permissions of the operator's account. */
  readonly grants: readonly Grant[];
  /** All roles. */
  readonly roles: readonly { readonly kind: string; readonly name: string; readonly rules: readonly DelegatedRule[] }[];
}

/**
 * Returns the roles of the files, and the permissions that other roles than the generated one grant to the same accounts, such as the roles for leader
 * election and metrics. A role that isn't among the files may grant anything.
 *
 * @param directory the directory of the generated role; directories that are deployed with it are searched, too
 * @param generated the name of the generated role
 */
export function boundRights(files: Files, directory: string, generated: string): BoundRights {
  const places = new Set([directory, ...deployedWith(files, directory)]);
  const manifests = [...places].flatMap((place) => readManifests(files, place));
  const roles = manifests.flatMap(({ kind = "", metadata, rules = [], aggregationRule }) =>
    (kind === "Role" || kind === "ClusterRole") && metadata?.name && metadata.name !== generated && !aggregationRule
      ? [{ kind, name: metadata.name, rules: rules.map(delegated) }]
      : [],
  );
  return { grants: boundGrants(manifests, generated), roles };
}

function boundGrants(manifests: readonly Manifest[], generated: string): Grant[] {
  const bindings = manifests.filter(({ roleRef }) => roleRef !== undefined);
  const accounts = new Set(
    bindings.filter(({ roleRef }) => roleRef?.name === generated).flatMap((binding) => accountsOf(binding)),
  );
  return bindings
    .filter((binding) => binding.roleRef?.name !== generated && accountsOf(binding).some((each) => accounts.has(each)))
    .flatMap((binding) => {
      // A RoleBinding grants permissions only in its namespace, regardless of the role.
      const namespace = binding.kind === "RoleBinding" ? (binding.metadata?.namespace ?? "system") : "";
      const role = manifests.find(
        ({ kind, metadata }) => kind === binding.roleRef?.kind && metadata?.name === binding.roleRef?.name,
      );
      return role ? grantsOf(role, namespace) : [{ ...everything, namespace }];
    });
}

/** Returns the directories that `../default` deploys together with that of the roles: any of them may contain bindings. */
function deployedWith(files: Files, directory: string): string[] {
  const home = resolve(directory, "../default");
  const [kustomization] = readManifests(files, home, ["kustomization.yaml"]);
  const resources = (kustomization as { resources?: unknown } | undefined)?.resources;
  const paths = Array.isArray(resources) ? resources.filter((resource) => typeof resource === "string") : [];
  return paths.filter((path) => path.startsWith("../")).map((path) => resolve(home, path));
}

function grantsOf({ rules = [] }: Manifest, namespace: string): Grant[] {
  return rules.map((rule) => ({ ...delegated(rule), namespace }));
}

function delegated(rule: NonNullable<Manifest["rules"]>[number]): DelegatedRule {
  const { apiGroups = [], resources = [], resourceNames = [], verbs = [], nonResourceURLs = [] } = rule;
  return { groups: apiGroups, resources, verbs, names: resourceNames, urls: nonResourceURLs };
}

function accountsOf({ subjects = [] }: Manifest): string[] {
  return subjects.filter(({ kind }) => kind === "ServiceAccount").map(({ name = "" }) => name);
}

function readManifests(files: Files, directory: string, only?: readonly string[]): Manifest[] {
  let names: readonly string[];
  try {
    names = files.yamlFiles(directory);
  } catch {
    // Without the directory, roles don't exist.
    return [];
  }
  const wanted = only ? names.filter((name) => only.includes(name)) : names;
  return wanted.flatMap((name) =>
    editDocuments(files.read(`${directory}/${name}`))
      .filter((document) => document.errors.length === 0)
      .flatMap((document) => (document.toJS() as Manifest | null) ?? []),
  );
}
