import { entries, fixedError, ownError, warning } from "./entry.ts";

/** Problems with source files, options and output. */
export const sourceEntries = entries(fixedError, {
  "syntax-error": ["A file isn't valid TypeScript.", "Fix the syntax error."],
  "no-such-path": ["`paths=` contains a directory that doesn't exist or has no TypeScript files.", "Correct the path."],
  "bad-option": [
    "The value of a generator option isn't valid, for example a header file that doesn't exist.",
    "Correct the option.",
  ],
  "bad-output": ["A document can't be written to its output path.", "Set another path with `output:…`."],
  "unwritable-document": [
    "A document contains characters that YAML doesn't support, such as control characters.",
    "Remove the characters from the description or the marker.",
  ],
  "bad-monitoring-settings": [
    "`config/monitoring/monitoring.yaml` has an unknown alert, an unknown key, or a value of a wrong type.",
    "Correct the file.",
  ],
  "bad-apidocs-config": [
    "The configuration of the API reference has a value of a wrong type, or a regular expression that isn't valid.",
    "Correct the file.",
  ],
  "bad-policy": [
    "An argument of a policy isn't valid, the marker is on a type that isn't a kind, or several policies have the same name.",
    "Correct the marker.",
  ],
  "bad-policy-rule": [
    "A CEL expression of a policy has a syntax error, uses an unknown name, or has a wrong type. Fields of your kinds are checked.",
    "Correct the expression at the reported position.",
  ],
  "no-manifests": ["The directory in `schemapatch:manifests=` doesn't exist.", "Correct the path."],
  "bad-manifest": [
    "A schema can't be added to a CRD in the directory of `schemapatch:manifests=`: the CRD has no versions, or an old API version.",
    "Correct the file, or remove it from the directory.",
  ],
});

/** Problems with existing files in the output directory. */
export const outputEntries = {
  ...entries(ownError, {
    "misnamed-crd": [
      "The kustomization for the CRDs doesn't list the file of a kind's CRD, but another one. It would install an old CRD, or none.",
      "List the generated file, or remove the plural from the marker `+kubebuilder:resource:path=`.",
    ],
  }),
  ...entries(warning, {
    "extraneous-crd": [
      "A generated CRD no longer belongs to any kind, but would still be installed.",
      "Run with `--prune` to remove it. If another run generates it, use separate output directories.",
    ],
    "extraneous-file": [
      "A generated file, such as a JSON Schema or a page of the API reference, no longer belongs to any kind.",
      "Run with `--prune` to remove it. If another run generates it, use separate output directories.",
    ],
    "unknown-apidocs-key": ["The configuration of the API reference has a key without an effect.", "Remove the key."],
    "missing-crd": [
      "The kustomization for the CRDs lists a file that doesn't exist and that no kind generates, so kustomize fails.",
      "Run with `--prune` to remove it from the list, or restore the file.",
    ],
    "unlisted-directory": [
      "A directory in `paths=` can't be listed, because its name isn't UTF-8 or its permissions don't allow it. Types in it are ignored.",
      "Rename the directory, change its permissions, or exclude it from `paths=`.",
    ],
    "skipped-manifest": [
      "A file in the directory of `schemapatch:manifests=` isn't valid YAML, for example a template. It is not changed.",
      "Write YAML without templates, or remove the file from the directory.",
    ],
  }),
};
