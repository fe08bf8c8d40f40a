import { resolve } from "node:path";
import { editDocuments } from "../../yaml/document.ts";
import type { Files } from "../source/files.ts";
import type { Grant } from "./grants.ts";

interface Manifest {
  readonly kind?: string;
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
  readonly rules?: readonly {
    readonly apiGroups?: readonly string[];
    readonly resources?: readonly string[];
    readonly resourceNames?: readonly string[];
    readonly verbs?: readonly string[];
  }[];
  readonly roleRef?: { readonly kind?: string; readonly name?: string };
  readonly subjects?: readonly { readonly kind?: string; readonly name?: string }[];
}

const everything: Grant = { groups: ["*"], resources: ["*"], verbs: ["*"], names: [], namespace: "" };

/**
 * What the roles beside the generated one give to the accounts that it is bound to: those of the leader election and of the
 * metrics, and those that users wrote. A role that isn't among the files may give anything.
 *
 * @param directory where the generated role lies; the directories that are deployed with it count, too.
 * @param generated the name of the generated role.
 */
export function boundRights(files: Files, directory: string, generated: string): Grant[] {
  const places = new Set([directory, ...deployedWith(files, directory)]);
  const manifests = [...places].flatMap((each) => readManifests(files, each));
  const bindings = manifests.filter(({ roleRef }) => roleRef !== undefined);
  const accounts = new Set(
    bindings.filter(({ roleRef }) => roleRef?.name === generated).flatMap((binding) => accountsOf(binding)),
  );
  return bindings
    .filter((binding) => binding.roleRef?.name !== generated && accountsOf(binding).some((each) => accounts.has(each)))
    .flatMap((binding) => {
      // A binding in a namespace gives the rights there, whatever it gives.
      const namespace = binding.kind === "RoleBinding" ? (binding.metadata?.namespace ?? "system") : "";
      const role = manifests.find(
        ({ kind, metadata }) => kind === binding.roleRef?.kind && metadata?.name === binding.roleRef?.name,
      );
      return role ? grantsOf(role, namespace) : [{ ...everything, namespace }];
    });
}

/** The directories of which `default/`, beside the one of the roles, makes the deployment: any of them may bind roles. */
function deployedWith(files: Files, directory: string): string[] {
  const home = resolve(directory, "../default");
  const [kustomization] = readManifests(files, home, ["kustomization.yaml"]);
  const resources = (kustomization as { resources?: unknown } | undefined)?.resources;
  const paths = Array.isArray(resources) ? resources.filter((each) => typeof each === "string") : [];
  return paths.filter((path) => path.startsWith("../")).map((path) => resolve(home, path));
}

function grantsOf({ rules = [] }: Manifest, namespace: string): Grant[] {
  return rules.map(({ apiGroups = [], resources = [], resourceNames = [], verbs = [] }) => ({
    groups: apiGroups,
    resources,
    verbs,
    names: resourceNames,
    namespace,
  }));
}

function accountsOf({ subjects = [] }: Manifest): string[] {
  return subjects.filter(({ kind }) => kind === "ServiceAccount").map(({ name = "" }) => name);
}

function readManifests(files: Files, directory: string, only?: readonly string[]): Manifest[] {
  let names: readonly string[];
  try {
    names = files.yamlFiles(directory);
  } catch {
    // No directory, no roles.
    return [];
  }
  const wanted = only ? names.filter((name) => only.includes(name)) : names;
  return wanted.flatMap((name) =>
    editDocuments(files.read(`${directory}/${name}`))
      .filter((document) => document.errors.length === 0)
      .flatMap((document) => (document.toJS() as Manifest | null) ?? []),
  );
}
