import { resolve } from "node:path";
import { argumentsOf } from "../../markers/index.ts";
import type { RbacOptions } from "../../options/index.ts";
import { general, type Run } from "../../run/run.ts";
import { findAccesses } from "../../source/api-calls/accesses.ts";
import type { Accesses } from "../../source/api-calls/model.ts";
import { boundRights } from "./bound-roles.ts";
import { delegatedRights } from "./delegated.ts";
import { grantOf, type MarkedGrant } from "./grants.ts";
import { missingRights } from "./missing.ts";
import { needsOf } from "./needs.ts";
import { createResources } from "./resources.ts";
import { unneededRights } from "./unneeded.ts";

/** Compares the `+kubebuilder:rbac` markers of the packages with the API calls in their code, and reports differences. */
export function verifyAccess({ roots, packages, files, request, report }: Run, { roleName }: RbacOptions): void {
  const accesses = findAccesses(
    files,
    roots.map(({ directory }) => directory),
  );
  if (accesses === undefined) return;
  if (accesses === "missing") {
    const message = "rbac:verify: @kubewright/runtime can't be found, so the API calls can't be checked";
    report(general("rbac-unverified", message, "install the project's dependencies: npm install"));
    return;
  }
  const marked = roots.flatMap((root) =>
    root.markers.get("kubebuilder:rbac").map((marker): MarkedGrant => {
      const value = argumentsOf("kubebuilder:rbac", marker.value);
      return { ...grantOf(value), marker, value };
    }),
  );
  const rule = request.config.output.rbac;
  const written = rule?.kind === "artifacts" ? rule.config : rule?.kind === "dir" ? rule.directory : "config/rbac";
  const bound = boundRights(files, resolve(request.cwd, written), roleName);
  const grants = [...marked, ...bound.grants];
  const resourceOf = createResources(roots, packages);
  const needs = needsOf(accesses, resourceOf);
  const delegated = delegatedRights(accesses, resourceOf, grants, bound.roles);
  for (const diagnostic of missingRights(needs, grants, marked, accesses.namespaced)) report(diagnostic);
  for (const diagnostic of [...delegated.missing, ...delegated.unknown]) report(diagnostic);
  // The accounts of roles with other names are unknown.
  const own = marked.filter(({ value }) => value.roleName === "" || value.roleName === roleName);
  if (delegated.unknown.length === 0) {
    for (const diagnostic of unneededRights(own, [...needs, ...delegated.needs], accesses)) report(diagnostic);
  }
  reportUnknown(accesses, report);
}

/** Reports calls that couldn't be analyzed, once per position. */
function reportUnknown({ accesses, blind }: Accesses, report: Run["report"]): void {
  const reported = new Set<string>();
  for (const { call, unknown } of accesses) {
    const key = unknown && `${unknown.file}:${unknown.line}:${unknown.column}`;
    if (!unknown || !key || reported.has(key)) continue;
    reported.add(key);
    const message = `${call}: can't determine the kinds that this call is for`;
    const hint = "make sure that the markers allow it, or give it a kind that its type or its callers determine";
    report({ id: "rbac-unknown-kind", severity: "warning", message, ...unknown, hint });
  }
  const [first] = blind;
  if (!first) return;
  const others = blind.length === 1 ? "" : ` (and ${blind.length - 1} more like it)`;
  const message = `permissions that no code needs aren't reported: ${first.reason}${others}`;
  report({ id: "rbac-unseen", severity: "warning", message, ...first.at });
}
