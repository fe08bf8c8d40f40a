import type { KubernetesObject } from "../api/index.ts";
import { ApiError } from "../errors/api-error.ts";
import { isJsonObject, type JsonObject } from "../json/object.ts";
import { defaultUserAgent } from "../transport/user-agent.ts";
import { applyFields, type Conflict, firstOwners, type Owner, type Owners, ownersAfter } from "./apply/owners.ts";
import { readablePath } from "./apply/paths.ts";
import type { KindId } from "./kinds.ts";
import type { Schema } from "./schema/schema.ts";

/** The part of an object that a request writes: the object or its status subresource. */
export type Part = "object" | "status";

export interface Write {
  id: KindId;
  /** Schema of the kind. Without it, lists are single values. */
  schema: Schema | undefined;
  /** Storage key of the object. */
  place: string;
  part: Part;
  fieldOwner: string | undefined;
}

// The server's schema of every object's metadata.
const METADATA = {
  properties: {
    finalizers: { "x-kubernetes-list-type": "set" },
    ownerReferences: { items: {}, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["uid"] },
    labels: { additionalProperties: {} },
    annotations: { additionalProperties: {} },
  },
} as unknown as Schema;

/** The field owners of a fake server's objects, for server-side apply. */
export class FieldOwners {
  readonly #owners = new Map<string, Owners>();

  /**
   * Returns the result of an apply and the new owners; pass these to {@link keep} after the object is stored.
   *
   * @throws the `ApiError` (409) of conflicts, unless the apply is forced
   */
  apply(write: Write, live: KubernetesObject | undefined, applied: JsonObject, force: boolean): [JsonObject, Owners] {
    const schema = rootSchema(write.schema);
    const before = (live ?? {}) as JsonObject;
    const known = this.#owners.get(write.place);
    const owners = known ?? (live ? firstOwners(before, schema, write.id.apiVersion) : new Map());
    const result = applyFields(before, applied, schema, ownerOf(write, "Apply"), owners);
    if (result.conflicts.length > 0 && !force) throw applyConflict(result.conflicts);
    // For built-in kinds, null means unset. Custom resources keep null, which usually makes them invalid.
    const object = write.schema ? result.object : withoutNulls(result.object);
    return [object as JsonObject, result.owners];
  }

  /** Records a write other than apply. If the object existed before and has no recorded owners, they stay unknown. */
  written(write: Write, before: KubernetesObject | undefined, after: KubernetesObject): void {
    const known = this.#owners.get(write.place);
    if (!known && before) return;
    const [old, next] = [visible(write, before), visible(write, after)];
    this.keep(
      write.place,
      ownersAfter(old, next, rootSchema(write.schema), ownerOf(write, "Update"), known ?? new Map()),
    );
  }

  keep(place: string, owners: Owners): void {
    this.#owners.set(place, owners);
  }

  /** Checks whether keeping these owners changes the ownership. In this case, servers create a new version of the object. */
  isNew(place: string, owners: Owners): boolean {
    return fingerprint(this.#owners.get(place)) !== fingerprint(owners);
  }

  forget(place: string): void {
    this.#owners.delete(place);
  }
}

function fingerprint(owners: Owners | undefined): string {
  return JSON.stringify([...(owners ?? [])].map(([id, { fields }]) => [id, [...fields.keys()].sort()]).sort());
}

function rootSchema(schema: Schema | undefined): Schema {
  return { ...schema, properties: { ...schema?.properties, metadata: METADATA } };
}

// Only the status is owned through the status subresource.
function visible({ part }: Write, object: KubernetesObject | undefined): JsonObject {
  const { status, ...rest } = (object ?? {}) as JsonObject;
  if (part === "status") return status === undefined ? {} : { status };
  return status === undefined ? rest : { ...rest, status };
}

function ownerOf({ id, part, fieldOwner }: Write, operation: Owner["operation"]): Owner {
  const name = fieldOwner || (defaultUserAgent().split("/", 1)[0] ?? "");
  return { name, operation, apiVersion: id.apiVersion, subresource: part === "status" ? "status" : "" };
}

function applyConflict(conflicts: readonly Conflict[]): ApiError {
  const named = conflicts.map(({ owner, path }) => ({ who: shown(owner), field: readablePath(path) }));
  const causes = named.map(({ who, field }) => ({
    reason: "FieldManagerConflict",
    message: `conflict with ${who}`,
    field,
  }));
  const [only] = named;
  if (only && named.length === 1) {
    const message = `Apply failed with 1 conflict: conflict with ${only.who}: ${only.field}`;
    return ApiError.create(409, "Conflict", message, { causes });
  }
  const lines = [...new Set(named.map(({ who }) => who))]
    .sort()
    .flatMap((who) => [
      `conflicts with ${who}:`,
      ...named.filter((conflict) => conflict.who === who).map(({ field }) => `- ${field}`),
    ]);
  return ApiError.create(409, "Conflict", `Apply failed with ${named.length} conflicts: ${lines.join("\n")}`, {
    causes,
  });
}

function shown({ name, operation, apiVersion, subresource }: Owner): string {
  const door = subresource === "" ? "" : ` with subresource ${JSON.stringify(subresource)}`;
  return `${JSON.stringify(name)}${door}${operation === "Update" ? ` using ${apiVersion}` : ""}`;
}

function withoutNulls(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(kept.map(([name, field]) => [name, withoutNulls(field)]));
}
