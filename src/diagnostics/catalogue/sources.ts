import { entries, fixedError, ownError, warning } from "./entry.ts";

/** Files, options and what is written. */
export const sourceEntries = entries(fixedError, {
  "syntax-error": ["A file is not TypeScript.", "Correct it: types that nobody can read have no schema."],
  "no-such-path": ["`paths=` names a directory that isn't there or holds no TypeScript.", "Correct the path."],
  "bad-option": ["A generator's option can't be used, such as a header file that isn't there.", "Correct the option."],
  "bad-output": ["A document can't be written where it belongs.", "Say another place with `output:…`."],
  "unwritable-document": [
    "A document holds what YAML can't, such as control characters.",
    "Take the characters out of the description or the marker.",
  ],
  "no-manifests": ["`schemapatch:manifests=` names a directory that isn't there.", "Correct the path."],
  "bad-manifest": [
    "A CRD in the directory of `schemapatch:manifests=` can't be given a schema: it has no versions, or is of an old API version.",
    "Correct the file, or take it out of the directory.",
  ],
});

/** What stands where documents are written to. */
export const outputEntries = {
  ...entries(ownError, {
    "misnamed-crd": [
      "The kustomization above the CRDs lists another file than the kind's CRD is written to: an old CRD would be installed, or none.",
      "List the file that is written, or take the plural from the marker `+kubebuilder:resource:path=`.",
    ],
  }),
  ...entries(warning, {
    "extraneous-crd": [
      "A CRD that the generator wrote once is made by no kind any more, and would go on being installed.",
      "Run with `--prune`, which removes it; if another run makes it, give that one a directory of its own.",
    ],
    "missing-crd": [
      "The kustomization above the CRDs lists one that is not there and that no kind makes: kustomize fails.",
      "Run with `--prune`, which takes it off the list, or restore the file.",
    ],
    "unlisted-directory": [
      "A directory below `paths=` can't be listed: its name isn't UTF-8, or its permissions forbid it. Types in it are not read.",
      "Rename it, correct its permissions, or leave it out of `paths=`.",
    ],
    "skipped-manifest": [
      "A file in the directory of `schemapatch:manifests=` is no YAML, a template for instance. It is left alone.",
      "Write YAML without templates, or take the file out of the directory.",
    ],
  }),
};
