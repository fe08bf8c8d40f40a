// Server-side apply goes by who owns a field: what a session has changed and put back must belong to whom it belonged to before. Else a
// later apply could take nothing away any more, and would be in conflict with somebody who is gone.
import type { ManagedFieldsEntry } from "../../api/index.ts";

/** Under this name the API server notes what a session changes. */
export const sessionOwner = "kubewright-local-webhooks";

/** A tree of `metadata.managedFields`: what is owned, by keys such as `f:webhooks`. */
type Owned = { readonly [key: string]: Owned };

/** Who owned what of one field: the entries of `metadata.managedFields` that know it, with nothing else in them. */
export type Owners = readonly ManagedFieldsEntry[];

/** The owners of a field, given by its path in the object. */
export function ownersOf(entries: Owners | undefined, field: readonly string[]): Owners {
  return (entries ?? []).flatMap((entry) => {
    const owned = at(ownedBy(entry), field);
    return owned ? [{ ...entry, fieldsV1: wrapped(owned, field) }] : [];
  });
}

/**
 * The `metadata.managedFields` in which a field belongs to its earlier owners again, and nothing to sessions. Entries whose fields were
 * all taken come back.
 */
export function withOwners(
  entries: Owners | undefined,
  field: readonly string[],
  owners: Owners,
): ManagedFieldsEntry[] {
  const others = (entries ?? []).filter(({ manager }) => manager !== sessionOwner);
  const missing = owners.filter((owner) => !others.some((entry) => isSame(entry, owner)));
  return [...others, ...missing.map((owner) => ({ ...owner, fieldsV1: {} }))].flatMap((entry) => {
    const owner = owners.find((each) => isSame(each, entry));
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

/** The tree with another one at the field, or with none there; what is empty then goes. */
function replaced(owned: Owned, [key = "", ...rest]: readonly string[], value: Owned | undefined): Owned {
  const { [`f:${key}`]: before, ...others } = owned;
  if (rest.length === 0) return value ? { ...others, [`f:${key}`]: value } : others;
  const inner = replaced(before ?? {}, rest, value);
  return Object.keys(inner).length === 0 ? others : { ...others, [`f:${key}`]: inner };
}
