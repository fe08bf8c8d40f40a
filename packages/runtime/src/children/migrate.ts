import type { KubernetesObject, ManagedFieldsEntry } from "../api/index.ts";
import type { Stored } from "../client/client.ts";
import { jsonPatch } from "../client/patch.ts";
import type { JsonObject } from "../json/object.ts";
import { ownedPart, splitSet, union } from "./field-set.ts";
import type { Run } from "./run.ts";
import type { Child } from "./wanted.ts";

/**
 * Moves the fields of earlier managers to the manager of the applies, so that a later apply removes those that aren't wanted
 * anymore. Fields that are only set at creation move to the manager of creations, so that no apply resets them.
 *
 * @param object - the object with all its `managedFields`
 * @param isNew - whether the object is as this process has just created it
 * @returns the stored object, which is the same if there is nothing to move
 */
export async function migrate(
  run: Run,
  child: Child,
  object: Stored<KubernetesObject>,
  isNew: boolean,
): Promise<Stored<KubernetesObject>> {
  const entries = migratedEntries(run, child, object.metadata.managedFields ?? [], isNew);
  if (entries === undefined) return object;
  const patch = jsonPatch([
    { op: "replace", path: "/metadata/managedFields", value: entries },
    // The server rejects the patch if the object has changed.
    { op: "replace", path: "/metadata/resourceVersion", value: object.metadata.resourceVersion },
  ]);
  return run.client.patch(object, patch, { signal: run.ctx.signal });
}

function migratedEntries(
  { declaration, migrateFrom }: Run,
  child: Child,
  entries: readonly ManagedFieldsEntry[],
  isNew: boolean,
): ManagedFieldsEntry[] | undefined {
  const { fieldOwner, creator } = declaration;
  const { createOnly } = child.entry;
  const { apiVersion } = child.kind;
  const of = (operation: string, isManager: (name: string) => boolean): ManagedFieldsEntry[] =>
    entries.filter(
      (entry) =>
        entry.operation === operation &&
        !entry.subresource &&
        entry.apiVersion === apiVersion &&
        isManager(entry.manager ?? ""),
    );
  const applied = of("Apply", (name) => name === fieldOwner);
  const created = of("Update", (name) => name === creator);
  const legacy = of("Update", (name) => name !== creator && migrateFrom.includes(name));
  let wanted: JsonObject | undefined;
  let createdOnly: JsonObject | undefined;
  let isMoved = legacy.length > 0;
  for (const entry of [...applied, ...created, ...legacy]) {
    const { inside, outside } = splitSet(entry.fieldsV1 as JsonObject, createOnly);
    createdOnly = union(createdOnly, inside);
    // The creation also owns default values, which no apply contains.
    wanted = union(wanted, created.includes(entry) ? ownedPart(child.fields, outside, isNew) : outside);
    isMoved ||= (applied.includes(entry) ? inside : created.includes(entry) ? outside : undefined) !== undefined;
  }
  if (!isMoved) return undefined;
  const moved = new Set([...applied, ...created, ...legacy]);
  const [{ time } = {}] = [...applied, ...created, ...legacy];
  const entry = (manager: string, operation: string, fields: JsonObject | undefined): ManagedFieldsEntry[] =>
    fields === undefined
      ? []
      : [{ manager, operation, apiVersion, ...(time ? { time } : {}), fieldsType: "FieldsV1", fieldsV1: fields }];
  return [
    ...entries.filter((candidate) => !moved.has(candidate)),
    ...entry(fieldOwner, "Apply", wanted),
    ...entry(creator, "Update", createdOnly),
  ];
}
