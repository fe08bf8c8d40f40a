// Server-side apply depends on field ownership: fields that a session has changed and restored must belong to their earlier
// owners. Otherwise, a later apply couldn't remove them, and would conflict with an owner that no longer exists.
import type { ManagedFieldsEntry } from "../../api/index.ts";

/** Field owner of a session's changes. */
export const sessionOwner = "kubewright-local-webhooks";

/** A tree of `metadata.managedFields` with keys such as `f:webhooks`. */
type Owned = { readonly [key: string]: Owned };

/** Owners of one field: the entries of `metadata.managedFields` with that field, reduced to it. */
export type Owners = readonly ManagedFieldsEntry[];

/** Returns the owners of a field, by its path in the object. */
export function ownersOf(entries: Owners | undefined, field: readonly string[]): Owners {
  return (entries ?? []).flatMap((entry) => {
    const owned = at(ownedBy(entry), field);
    return owned ? [{ ...entry, fieldsV1: wrapped(owned, field) }] : [];
  });
}

/**
 * Returns `metadata.managedFields` in which a field belongs to its earlier owners and nothing belongs to sessions.
 * Entries that had lost all their fields are restored.
 */
export function withOwners(
  entries: Owners | undefined,
  field: readonly string[],
  owners: Owners,
): ManagedFieldsEntry[] {
  const others = (entries ?? []).filter(({ manager }) => manager !== sessionOwner);
  const missing = owners.filter((owner) => !others.some((entry) => isSame(entry, owner)));
  return [...others, ...missing.map((owner) => ({ ...owner, fieldsV1: {} }))].flatMap((entry) => {
    const owner = owners.find((owner) => isSame(owner, entry));
    const fields = replaced(ownedBy(entry), field, owner && at(ownedBy(owner), field));
    return Object.keys(fields).length === 0 ? [] : [{ ...entry, fieldsV1: fields }];
  });
}

function isSame(a: ManagedFieldsEntry, b: ManagedFieldsEntry): boolean {
  const keys = ["manager", "operation", "apiVersion", "subresource"] as const;
  return keys.every((key) => (a[key] ?? "") === (b[key] ?? ""));
}

function ownedBy({ fieldsV1 }: ManagedFieldsEntry): Owned {
  return (fieldsV1 ?? {}) as Owned;
}

function at(owned: Owned, field: readonly string[]): Owned | undefined {
  return field.reduce<Owned | undefined>((tree, key) => tree?.[`f:${key}`], owned);
}

function wrapped(owned: Owned, field: readonly string[]): Owned {
  return field.reduceRight<Owned>((tree, key) => ({ [`f:${key}`]: tree }), owned);
}

/** Replaces or removes the subtree of a field, and removes empty parents. */
function replaced(owned: Owned, [key = "", ...rest]: readonly string[], value: Owned | undefined): Owned {
  const { [`f:${key}`]: before, ...others } = owned;
  if (rest.length === 0) return value ? { ...others, [`f:${key}`]: value } : others;
  const inner = replaced(before ?? {}, rest, value);
  return Object.keys(inner).length === 0 ? others : { ...others, [`f:${key}`]: inner };
}
