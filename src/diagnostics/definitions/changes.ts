import { entries, ownError } from "./entry.ts";

const revert = "Revert the change, or make it in a new version of the API";

/** Incompatible changes of CRDs, which `--check --against` reports. */
export const changeEntries = entries(ownError, {
  "crd-removed": [
    "No kind generates the CRD anymore.",
    "Keep the kind: deleting the CRD from a cluster deletes all its objects.",
  ],
  "scope-changed": ["The scope changed.", "Keep the scope: the API server rejects the change."],
  "names-changed": [
    "The name of the kind, of its list or of its resource changed.",
    "Keep the names: clients depend on them.",
  ],
  "version-removed": [
    "A version was removed.",
    "Keep it, served or not, until no client and no stored object uses it.",
  ],
  "version-unserved": ["A version is no longer served.", "Serve it until no client uses it."],
  "storage-version-removed": [
    "The storage version was removed.",
    "Change the storage version first, migrate the stored objects, and then remove the old version.",
  ],
  "subresource-removed": [
    "A subresource was removed, or takes its values from another path.",
    "Keep it: clients and controllers use it.",
  ],
  "field-removed": ["A field was removed, so its values are dropped.", `${revert}.`],
  "field-required": ["A field became required and has no default.", "Add a default, or leave the field optional."],
  "type-changed": ["The type of a value changed.", `${revert}.`],
  "format-changed": ["A format was added or changed.", `${revert}.`],
  "enum-narrowed": ["Values were removed from an enumeration.", `${revert}.`],
  "limit-narrowed": ["A limit was added or narrowed.", `${revert}.`],
  "pattern-changed": [
    "A pattern was added or changed. The generator can't determine whether it accepts every previously valid value.",
    "If it does, turn this diagnostic off for the release. Otherwise, revert the change.",
  ],
  "nullable-removed": ["`null` is no longer allowed.", "Keep `| null` or `+nullable`."],
  "default-removed": ["A default was removed, so objects that rely on it lose the value.", "Restore the default."],
  "default-changed": ["A default changed, so existing objects get another meaning.", `${revert}.`],
  "list-type-changed": [
    "The type or the keys of a list or map changed, so it is merged differently.",
    "Restore the list type and keys: server-side apply tracks field ownership by them.",
  ],
  "unknown-fields-pruned": [
    "Fields that aren't in the schema are now dropped.",
    "Preserve unknown fields, or add all fields in use to the schema.",
  ],
  "validation-added": ["Conditions on the whole value changed or were added.", `${revert}.`],
  "rule-added": [
    "A CEL rule was added or changed.",
    "Compare with `oldSelf`, so that the rule applies only to new values.",
  ],
});
