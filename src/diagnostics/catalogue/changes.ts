import { entries, ownError } from "./entry.ts";

const again = "Bring it back, or make a new version of the API for what has changed";

/** Incompatible changes of CRDs: what `--check --against` tells. */
export const changeEntries = entries(ownError, {
  "crd-removed": ["No kind makes the CRD any more.", "Keep the kind: with the CRD all its objects go."],
  "scope-changed": ["The scope is another one.", "Keep the scope: the API server refuses to change it."],
  "names-changed": ["The kind, its list or its names in paths are others.", "Keep the names: clients ask by them."],
  "version-removed": ["A version is gone.", "Keep it, served or not, until no client and no stored object has it."],
  "version-unserved": ["A version is served no more.", "Serve it until no client asks for it."],
  "storage-version-removed": [
    "The version that objects are stored in is gone.",
    "Store another version first, migrate what is stored, and remove the old one then.",
  ],
  "subresource-removed": [
    "A subresource is gone, or takes its values from elsewhere.",
    "Keep it: clients and controllers write to it.",
  ],
  "field-removed": ["A field is gone: its values are dropped.", `${again}.`],
  "field-required": [
    "A field has to be there that didn't have to be, and has no default.",
    "Give it a default, or leave it optional.",
  ],
  "type-changed": ["A value is of another type.", `${again}.`],
  "format-changed": ["A format is new, or another one.", `${again}.`],
  "enum-narrowed": ["Values that were allowed are so no more.", `${again}.`],
  "limit-narrowed": ["A limit is narrower, or new.", `${again}.`],
  "pattern-changed": [
    "A pattern is new or another one: whether it accepts what the old one did can't be told.",
    "If it does, turn this off for the release; else bring the old one back.",
  ],
  "nullable-removed": ["`null` is allowed no more.", "Keep `| null`, or `+nullable`."],
  "default-removed": ["A default is gone: what relied on it is empty now.", "Bring it back."],
  "default-changed": ["A default is another one: the same object means something else.", `${again}.`],
  "list-type-changed": [
    "A list or map is merged in another way, or by other keys.",
    "Bring the list type and its keys back: server-side apply tells owners by them.",
  ],
  "unknown-fields-pruned": [
    "Fields that the schema doesn't name are dropped now.",
    "Keep them, or name all that are in use.",
  ],
  "validation-added": ["Conditions on the whole value ask for something else, or for more.", `${again}.`],
  "rule-added": ["A CEL rule is new or another one.", "Let it hold for new values only, by comparing with `oldSelf`."],
});
