import { posix } from "node:path";
import type { Permission } from "../../project/role-namespaces.ts";
import type { Tree } from "../files/tree.ts";
import { mainFile } from "../parts/main-file.ts";
import { roleTest, withoutSamples } from "../parts/role-test.ts";
import { manifestsOptions } from "../parts/versions.ts";
import { type MigratedOptions, migratedOptions, type OptionFacts } from "./generator-options.ts";
import type { Handwritten } from "./handwritten.ts";
import { type KustomizeNames, kustomizeNames } from "./kustomize-names.ts";
import type { Generations } from "./makefile.ts";
import { boundIn, rolesOf, withBindings } from "./role-bindings.ts";

/** Settings of a Go project that aren't in PROJECT. */
export interface Settings extends OptionFacts {
  readonly generations: Generations;
  /** The name of its Lease; undefined to keep the scaffolded one. */
  readonly lease: string | undefined;
  /** The permissions in its markers. */
  readonly permissions: readonly Permission[];
  /** The only namespace that its roles let the manager watch. */
  readonly namespace: string | undefined;
}

/** Changed files, and lines for the user. */
interface Changes {
  readonly contents: ReadonlyMap<string, string>;
  readonly notes: readonly string[];
}

const kustomization = "config/default/kustomization.yaml";
const roleFile = "config/rbac/role.yaml";
const roleBinding = "config/rbac/role_binding.yaml";
const electionRole = "config/rbac/leader_election_role.yaml";
const usualRole = "manager-role";

/** Returns the scaffolded files with the settings of the Go project. */
export function withSettings(
  draft: Tree,
  settings: Settings,
  { contents: written, notes: copies, roles: ownRoles }: Handwritten,
  rejectedSamples: ReadonlyMap<string, string>,
): Changes {
  const { generations, lease, permissions, namespace: watched, files } = settings;
  const contents = new Map(written);
  const notes: string[] = [...generations.notes, ...copies];
  const change = (path: string, edit: (text: string) => string) => {
    const text = contents.get(path) ?? draft.readText(path);
    if (text !== undefined) contents.set(path, edit(text));
  };
  if (lease !== undefined) {
    change(mainFile, (text) => text.replace(/(\bleaderElectionID: )"[^"]*"/, (_, key) => key + JSON.stringify(lease)));
    change(electionRole, (text) =>
      text.replace(/(resourceNames:\n\s*- )"[^"]*"/, (_, key) => key + JSON.stringify(lease)),
    );
  }
  if (watched !== undefined) {
    change(roleTest, (text) => text.replace(/^(const namespace = )".*"/m, (_, key) => key + JSON.stringify(watched)));
  }
  change(roleTest, (text) => withoutSamples(text, rejectedSamples) ?? text);
  const hasWebhooks = draft.read("config/webhook/kustomization.yaml") !== undefined;
  const options = generatorOptions(settings, { hasRole: !written.has(roleFile), hasWebhooks });
  notes.push(...options.notes);
  for (const [path, text] of options.files) contents.set(path, text);
  change("Makefile", (text) =>
    text.replace(`scaffold generate ${manifestsOptions} `, `scaffold generate ${options.text} `),
  );
  const option = /[:,]roleName=([\w.-]+)/.exec(generations.rbac?.options ?? "")?.[1] ?? usualRole;
  const role = ownRoles[0]?.name ?? option;
  if (role !== usualRole) {
    for (const file of ["role", "role_binding", "cluster_role_binding"]) {
      change(`config/rbac/${file}.yaml`, (text) => text.replaceAll(`name: ${usualRole}\n`, `name: ${role}\n`));
    }
  }
  const isBound = draft.read("config/rbac/cluster_role_binding.yaml") !== undefined;
  const roles = (ownRoles.length > 0 ? boundIn(files, ownRoles) : rolesOf(permissions, role)).filter(
    ({ kind }) => kind === "Role" || !isBound,
  );
  change(roleBinding, (text) => withBindings(text, roles, files));
  const theirs = kustomizeNames(files, posix.dirname(kustomization));
  const isDeployed = files.some(({ path }) =>
    /^(config\/(manager|default|rbac)|charts?|deploy|manifests)\//.test(path),
  );
  if (theirs === undefined) {
    if (isDeployed)
      notes.push(
        `the Go project has no ${kustomization}: compare the namespace and namePrefix in the new one with those of your Deployment, so that the new one replaces it`,
      );
  } else change(kustomization, (text) => withNames(text, theirs));
  const namespace = theirs?.namespace;
  if (namespace !== undefined) {
    change("Makefile", (text) => text.replace(/^(HELM_NAMESPACE \?= ).*$/m, (_, key) => key + namespace));
  }
  return { contents, notes };
}

/**
 * Returns the options of `scaffold generate` that correspond to those of controller-gen. Scaffolded files refer to a role and to
 * webhooks, also if the Go project generates none.
 */
function generatorOptions(
  settings: Settings,
  { hasRole, hasWebhooks }: { readonly hasRole: boolean; readonly hasWebhooks: boolean },
): MigratedOptions {
  const { rbac, crd, webhook } = settings.generations;
  const roles = rbac?.options ?? (hasRole ? `rbac:roleName=${usualRole}` : undefined);
  const webhooks = webhook?.options ?? (hasWebhooks ? "webhook" : undefined);
  const all = [roles, crd?.options ?? "crd", webhooks]
    .filter((each) => each !== undefined)
    .map((each) => migratedOptions(each, settings));
  const [, paths = ""] = /( paths=.*)$/.exec(manifestsOptions) ?? [];
  return {
    text: all.map(({ text }) => text).join(" ") + paths,
    files: new Map(all.flatMap(({ files }) => [...files])),
    notes: all.flatMap(({ notes }) => notes),
  };
}

/** Returns the scaffolded kustomization with the namespace and the prefix of another one. */
function withNames(text: string, names: KustomizeNames): string {
  return (["namespace", "namePrefix"] as const).reduce((before, key) => {
    const line = new RegExp(`^${key}: .*$`, "m");
    const value = names[key];
    return before.replace(line, value === undefined ? `# ${key}: the Go project sets none` : `${key}: ${value}`);
  }, text);
}
