import { type BreakingChange, canonical } from "./change.ts";
import { compareSchemas } from "./compare-schema.ts";
import type { Crd, CrdVersion } from "./crd.ts";

type Change = Omit<BreakingChange, "crd">;

/** Returns the incompatible changes of a CRD. Descriptions, columns, selectable fields, short names and categories don't count. */
export function compareCrds(before: Crd, after: Crd): BreakingChange[] {
  const crd = after.metadata.name;
  const changes = [...whole(before, after), ...(before.spec.versions ?? []).flatMap((old) => version(old, after))];
  return changes.map((change) => ({ ...change, crd }));
}

function whole(before: Crd, after: Crd): Change[] {
  const changes: Change[] = [];
  if (before.spec.scope !== after.spec.scope) {
    changes.push({ id: "scope-changed", message: `the scope was ${before.spec.scope} and is ${after.spec.scope}` });
  }
  for (const name of ["kind", "listKind", "plural", "singular"]) {
    const [old, now] = [before.spec.names?.[name], after.spec.names?.[name]];
    if (old !== now) changes.push({ id: "names-changed", message: `the ${name} was ${old} and is ${now}` });
  }
  if (before.spec.preserveUnknownFields === true && after.spec.preserveUnknownFields !== true) {
    changes.push({ id: "unknown-fields-pruned", message: "unknown fields are now dropped" });
  }
  return changes;
}

function version(old: CrdVersion, after: Crd): Change[] {
  const now = after.spec.versions?.find(({ name }) => name === old.name);
  const at = { version: old.name };
  if (!now) return [gone(old)];
  const unserved = old.served === true && now.served !== true;
  return [
    ...(unserved ? [{ ...at, id: "version-unserved" as const, message: "is no longer served" }] : []),
    ...subresources(old, now).map((message) => ({ ...at, id: "subresource-removed" as const, message })),
    // A version that is neither served nor stored can't be read or written.
    ...(old.served === true || old.storage === true ? schemas(old, now) : []).map((change) => ({ ...at, ...change })),
  ];
}

function gone(old: CrdVersion): Change {
  const at = { version: old.name };
  if (old.storage === true) {
    const message = "the storage version was removed: stored objects can't be read any longer";
    return { ...at, id: "storage-version-removed", message };
  }
  return { ...at, id: "version-removed", message: "was removed" };
}

function subresources(old: CrdVersion, now: CrdVersion): string[] {
  return Object.entries(old.subresources ?? {}).flatMap(([name, value]) => {
    const left = now.subresources?.[name];
    if (left === undefined) return [`the subresource ${name} was removed`];
    return canonical(left) === canonical(value) ? [] : [`the paths of the subresource ${name} changed`];
  });
}

function schemas(old: CrdVersion, now: CrdVersion): Omit<Change, "version">[] {
  const [before, after] = [old.schema?.openAPIV3Schema, now.schema?.openAPIV3Schema];
  return before && after ? compareSchemas(before, after, "") : [];
}
