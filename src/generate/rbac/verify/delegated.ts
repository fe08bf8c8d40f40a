import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import { listed } from "../../../text/list.ts";
import type { Access, Accesses, DelegatedRule, Delegation, KindRef } from "../../source/api-calls/model.ts";
import { covers, type Grant, type Need } from "./grants.ts";
import { inGroup } from "./missing.ts";
import type { PlacedNeed } from "./needs.ts";
import type { Resource } from "./resources.ts";

const rbacGroup = "rbac.authorization.k8s.io";
const roleResources: Readonly<Record<string, string>> = { Role: "roles", ClusterRole: "clusterroles" };
/** The roles of Kubernetes, which grant more than an operator has. */
const isBuiltIn = (name: string): boolean => /^(cluster-admin|admin|edit|view|system:.*)$/.test(name);

/** A role whose rules are known, from a manifest or from code. */
export interface KnownRole {
  readonly kind: string;
  readonly name: string;
  readonly rules: readonly DelegatedRule[];
}

/** The comparison of delegated permissions with those of the operator. */
interface Delegated {
  /** Permissions that the operator has in order to delegate them, and those for `bind` and `escalate`. */
  readonly needs: readonly PlacedNeed[];
  /** Writes that the API server refuses. */
  readonly missing: readonly Diagnostic[];
  /** Writes whose permissions can't be determined. */
  readonly unknown: readonly Diagnostic[];
}

/** A write of a role or a binding. */
interface Write {
  readonly access: Access;
  readonly resource: Resource;
  readonly delegation: Delegation;
}

/**
 * Checks the roles and bindings that the code writes. The API server permits delegating only permissions that the operator
 * has, unless it has the verb `escalate` for the role, or `bind` for the role of the binding.
 *
 * @param files the roles among the files of the project
 */
export function delegatedRights(
  accesses: Accesses,
  resourceOf: (kind: KindRef) => Resource,
  grants: readonly Grant[],
  files: readonly KnownRole[],
): Delegated {
  const writes = accesses.accesses.flatMap((access) =>
    access.kinds.flatMap((kind): Write[] => {
      const resource = resourceOf(kind);
      const isOurs = resource.group === rbacGroup && access.delegation !== undefined;
      return isOurs ? [{ access, resource, delegation: access.delegation as Delegation }] : [];
    }),
  );
  const roles = [...files, ...rolesOf(writes)];
  const results = writes.map((write) =>
    write.resource.plural.endsWith("bindings") ? checkBinding(write, grants, roles) : checkRole(write, grants),
  );
  return {
    needs: results.flatMap(({ needs }) => needs),
    missing: results.flatMap(({ missing }) => missing),
    unknown: results.flatMap(({ unknown }) => unknown),
  };
}

/** Returns the roles that the code writes, by name. A role with different rules in several places isn't known. */
function rolesOf(writes: readonly Write[]): KnownRole[] {
  return writes.flatMap(({ resource, delegation: { name, rules } }) => {
    const kind = resource.plural === "roles" ? "Role" : "ClusterRole";
    return resource.plural.endsWith("roles") && name !== undefined && rules ? [{ kind, name, rules }] : [];
  });
}

function checkRole(write: Write, grants: readonly Grant[]): Delegated {
  const { name, rules } = write.delegation;
  // The request that creates a role doesn't contain its name, so a permission for names doesn't apply.
  const isCreated = write.access.asks.some(({ verbs, ifAbsent }) => verbs.includes("create") && !ifAbsent);
  const need = verbNeed(write, "escalate", write.resource.plural, isCreated ? undefined : name);
  const escalate = { ...need, ofMany: isCreated };
  return check(write, grants, escalate, rules);
}

function checkBinding(write: Write, grants: readonly Grant[], roles: readonly KnownRole[]): Delegated {
  const { roleKind = "", roleName } = write.delegation;
  const resource = roleResources[roleKind];
  if (resource === undefined) {
    const either = Object.values(roleResources).map((roleResource) => verbNeed(write, "bind", roleResource, undefined));
    const mayBind = either.every((need) => grants.some((grant) => covers(grant, need)));
    return { needs: either, missing: [], unknown: mayBind ? [] : [unknown(write, "bind", undefined, undefined)] };
  }
  const bind = verbNeed(write, "bind", resource, roleName);
  const matching = roles.filter((role) => role.kind === roleKind && role.name === roleName);
  const everything: DelegatedRule = { groups: ["*"], resources: ["*"], verbs: ["*"], names: [], urls: [] };
  const isForeign = matching.length === 0 && roleKind === "ClusterRole" && isBuiltIn(roleName ?? "");
  const rules =
    matching.length > 0 ? matching.flatMap((knownRole) => knownRole.rules) : isForeign ? [everything] : undefined;
  return check(write, grants, bind, rules, isForeign ? `those of ${roleName}` : undefined);
}

/**
 * Compares a write with the permissions.
 *
 * @param need the verb that permits the write, whatever the role contains
 * @param rules the rules of the role; undefined if they can't be determined
 * @param named the name of the rules in messages, instead of the rules
 */
function check(
  write: Write,
  grants: readonly Grant[],
  need: PlacedNeed,
  rules: readonly DelegatedRule[] | undefined,
  named?: string,
): Delegated {
  if (grants.some((grant) => covers(grant, need))) return { needs: [need], missing: [], unknown: [] };
  if (rules === undefined) {
    return { needs: [need], missing: [], unknown: [unknown(write, need.verb, need.resource.plural, need.name)] };
  }
  const parts = rules.flatMap((rule) => needsOfRule(write, rule));
  const urls = rules.flatMap(({ urls, verbs }) => urls.flatMap((url) => verbs.map((verb) => ({ url, verb }))));
  const lacking = [
    ...parts.filter((part) => !grants.some((grant) => covers(grant, part))).map(text),
    ...urls
      .filter((each) => !grants.some((grant) => coversUrl(grant, each)))
      .map(({ url, verb }) => `${verb} of ${url}`),
  ];
  if (lacking.length === 0) return { needs: [need, ...parts], missing: [], unknown: [] };
  return { needs: [need, ...parts], missing: [missing(write, need, named ?? shortened(lacking))], unknown: [] };
}

function verbNeed({ access, resource }: Write, verb: string, plural: string, name: string | undefined): PlacedNeed {
  const isCluster = resource.plural.startsWith("cluster");
  return {
    access,
    resource: { group: rbacGroup, plural, ...(isCluster ? { scope: "Cluster" } : {}) },
    verb,
    everywhere: isCluster,
    // Without a name, the role may be any.
    ofMany: false,
    ...(name === undefined ? {} : { name }),
    maybe: true,
  };
}

function needsOfRule({ access, resource }: Write, rule: DelegatedRule): PlacedNeed[] {
  const isCluster = resource.plural.startsWith("cluster");
  const names = rule.names.length > 0 ? rule.names : [undefined];
  return rule.groups.flatMap((group) =>
    rule.resources.flatMap((resource) =>
      rule.verbs.flatMap((verb) =>
        names.map((name): PlacedNeed => {
          const [plural = "", ...subresource] = resource.split("/");
          return {
            access,
            resource: { group, plural, ...(isCluster ? { scope: "Cluster" } : {}) },
            ...(subresource.length > 0 ? { subresource: subresource.join("/") } : {}),
            verb,
            everywhere: isCluster,
            ofMany: name === undefined,
            ...(name === undefined ? {} : { name }),
            maybe: true,
          };
        }),
      ),
    ),
  );
}

function coversUrl({ urls = [], verbs }: Grant, { url, verb }: { url: string; verb: string }): boolean {
  const isCovered = urls.some((each) => each === url || (each.endsWith("*") && url.startsWith(each.slice(0, -1))));
  return isCovered && verbs.some((each) => each === "*" || each === verb);
}

function text({ verb, resource, subresource }: Need): string {
  return `${verb} of ${resource.plural}${subresource ? `/${subresource}` : ""}${inGroup(resource.group)}`;
}

function shortened(all: readonly string[]): string {
  const most = 3;
  return all.length <= most ? listed(all) : `${all.slice(0, most).join(", ")} and ${all.length - most} more`;
}

function markerFor(verb: string, plural: string, name: string | undefined): string {
  const names = name === undefined ? "" : `,resourceNames=${name}`;
  return `// +kubebuilder:rbac:groups=${rbacGroup},resources=${plural}${names},verbs=${verb}`;
}

function missing({ access }: Write, { verb, resource, name }: PlacedNeed, lacking: string): Diagnostic {
  return {
    id: "rbac-missing",
    severity: "error",
    message: `${access.call}: the role contains permissions that no marker allows: ${lacking}. The API server refuses this write, because no marker allows ${verb} of ${resource.plural}${inGroup(rbacGroup)} either`,
    ...access.at,
    hint: `add markers for these permissions, or \`${markerFor(verb, resource.plural, name)}\``,
  };
}

function unknown({ access }: Write, verb: string, plural: string | undefined, name: string | undefined): Diagnostic {
  const what = verb === "bind" ? "the permissions of the bound role" : "the rules of the role";
  const marker = markerFor(verb, plural ?? "roles;clusterroles", name);
  return {
    id: "rbac-unknown-role",
    severity: "warning",
    message: `${access.call}: can't determine ${what}, so permissions that no code needs aren't reported`,
    ...access.at,
    hint: `make sure that markers allow all of them, because the API server requires it, or add \`${marker}\``,
  };
}
