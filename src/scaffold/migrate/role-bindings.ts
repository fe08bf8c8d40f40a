import type { Permission } from "../../project/role-namespaces.ts";
import { readValues } from "../../yaml/values.ts";
import { mapOf } from "../text/maps.ts";
import type { GoFile } from "./left-behind.ts";
import { readableValues } from "./readable-values.ts";

/** A role of the operator. */
export interface BoundRole {
  readonly kind: "ClusterRole" | "Role";
  readonly name: string;
  /** Of a Role; undefined if its manifest sets none. */
  readonly namespace?: string;
}

/**
 * Returns the roles that controller-gen generates for permissions, each once.
 *
 * @param usual - the name of the role for permissions that name none
 */
export function rolesOf(permissions: readonly Permission[], usual: string): BoundRole[] {
  const roles = new Map<string, BoundRole>();
  for (const { namespace, roleName: name = usual } of permissions) {
    const role: BoundRole = namespace === "" ? { kind: "ClusterRole", name } : { kind: "Role", name, namespace };
    roles.set(keyOf(role), role);
  }
  return [...roles.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

const keyOf = ({ kind, namespace = "", name }: BoundRole): string => `${kind} ${namespace} ${name}`;

/**
 * Returns the scaffolded binding with bindings for the other roles of the operator: a scaffolded project has one role.
 *
 * @param text - the scaffolded binding
 * @param files - those of the Go project, whose bindings have names that are kept
 */
export function withBindings(text: string, roles: readonly BoundRole[], files: readonly GoFile[]): string {
  const reference = mapOf(mapOf(readValues(text)[0]).roleRef);
  const isScaffolded = ({ kind, name }: BoundRole) => kind === reference.kind && name === reference.name;
  const main = roles.find(isScaffolded);
  const names = new Map<string, string>();
  for (const role of roles) names.set(keyOf(role), nameOf(role, [...names.values()], files));
  const placed =
    main?.namespace === undefined ? text : text.replace(/^( {2}namespace: ).*$/m, (_, key) => key + main.namespace);
  const documents = roles.filter((role) => role !== main).map((role) => documentOf(text, role, names.get(keyOf(role))));
  return [placed.trimEnd(), ...documents].join("\n---\n").concat("\n");
}

/** Returns the scaffolded binding for another role. */
function documentOf(text: string, { kind, name, namespace }: BoundRole, binding = ""): string {
  const [head = "", rest = ""] = text.trimEnd().split(/^(?=roleRef:)/m);
  const metadata = head
    .replace(/^(?:#.*\n)+/, "")
    .replace(/^kind: .*$/m, `kind: ${kind}Binding`)
    .replace(/^( {2}name: ).*$/m, (_, key) => key + binding)
    .replace(/^ {2}namespace: .*\n/m, "");
  const reference = rest.replace(/^( {2}kind: ).*$/m, `$1${kind}`).replace(/^( {2}name: ).*$/m, (_, key) => key + name);
  return `${metadata}${namespace === undefined ? "" : `  namespace: ${namespace}\n`}${reference}`;
}

/** Returns the first of the roles, and others that the Go project binds, too: those of users aren't for the manager. */
export function boundIn(files: readonly GoFile[], roles: readonly BoundRole[]): BoundRole[] {
  return roles.filter((role, index) => index === 0 || bindingOf(role, files) !== undefined);
}

/** Returns the name of the binding in the Go project. kustomize may add a prefix to the name of the role. */
function bindingOf({ kind, name }: BoundRole, files: readonly GoFile[]): string | undefined {
  return files
    .filter(({ path }) => /^config\/rbac\/[^/]+\.ya?ml$/.test(path))
    .flatMap(({ text }) => bindingsIn(text()))
    .find((each) => each.kind === `${kind}Binding` && (each.role === name || each.role.endsWith(`-${name}`)))?.name;
}

/** Returns the name of a role's binding: that in the Go project, or one like the scaffolded names. */
function nameOf(role: BoundRole, taken: readonly string[], files: readonly GoFile[]): string {
  const { kind, name } = role;
  const base = name.replace(/-role$/, "");
  const usual = bindingOf(role, files) ?? `${base}-${kind === "Role" ? "namespaced" : "cluster"}-rolebinding`;
  let free = usual;
  for (let count = 2; taken.includes(free); count++) free = `${usual}-${count}`;
  return free;
}

function bindingsIn(text: string): { kind: string; name: string; role: string }[] {
  return readableValues(text).flatMap((value) => {
    const { kind, metadata, roleRef } = mapOf(value);
    const [{ name }, { name: role }] = [mapOf(metadata), mapOf(roleRef)];
    return typeof kind === "string" && typeof name === "string" && typeof role === "string"
      ? [{ kind, name, role }]
      : [];
  });
}
