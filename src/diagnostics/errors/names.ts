import type { Sentences } from "../definitions/entry.ts";

/** Invalid values of flags. They are reported before anything is read or written. */
export const nameErrors = {
  "bad-domain": [
    "`--domain` isn't a valid DNS name.",
    "Use lowercase letters, digits, `-` and `.`, such as `example.com`.",
  ],
  "bad-project-name": [
    "`--project-name`, or the directory name as its default, isn't a valid DNS label. It is the prefix of the namespace and of all deployed objects.",
    "Use lowercase letters, digits and `-`, such as `mygame`.",
  ],
  "bad-repo": [
    "`--repo` isn't a valid npm package name or module path.",
    "Use a name such as `@acme/mygame` or `github.com/acme/mygame`.",
  ],
  "reserved-repo": [
    "The name of the project's npm package is reserved by npm, or belongs to a package that the project needs.",
    "Choose another name, for example with a scope: `@acme/mygame`.",
  ],
  "bad-owner": [
    "`--owner` contains characters that would end the comment of the license header.",
    "Use one line of text.",
  ],
  "bad-webhook-certs": ["The value of `--webhook-certs` isn't valid.", "Use `self`, `cert-manager` or `files`."],
  "missing-group": [
    "`--group` is missing. Without a domain, only the group separates the project's kinds from others.",
    "Set a group, such as `--group shop`.",
  ],
  "bad-group": [
    "`--group`, or the group of a CustomResourceDefinition, isn't a valid DNS name.",
    "Use lowercase letters, digits, `-` and `.`, without the project's domain, such as `shop`.",
  ],
  "reserved-group": [
    "`make manifests` or git skips a directory with the name of the group, or Windows doesn't allow it.",
    "Choose another name, such as `shop`.",
  ],
  "bad-version": ["`--version` isn't a valid API version.", "Use a version such as `v1`, `v1alpha1` or `v2beta3`."],
  "bad-lease": [
    "`--leader-election-id` isn't the name of a Lease.",
    "Use lowercase letters, digits, `-` and `.`, such as `9f7554c3.example.com`.",
  ],
  "bad-kind": [
    "`--kind` isn't a valid kind, or exceeds 63 characters.",
    "Use letters and digits, beginning with an uppercase letter, such as `Game`.",
  ],
  "bad-plural": ["`--plural` isn't a valid resource name.", "Use lowercase letters, digits and `-`, such as `games`."],
  "bad-controller-name": [
    "`--controller-name` can't be used in the name of a file and a class.",
    "Use lowercase letters, digits and `-`, beginning with a letter, such as `game-backup`.",
  ],
  "bad-external-api": [
    "An entry of `--external-apis` doesn't assign a package to an API version.",
    "Use `<group>/<version>=<npm package>[@<version>][/<path>]`, separated by commas.",
  ],
  "external-without-path": [
    "`--external-api-domain` or `--external-api-module` is set without the module that exports the types.",
    "Set the module with `--external-api-path`.",
  ],
  "bad-external-path": [
    "`--external-api-path` isn't a module of an npm package.",
    "Use a module specifier, such as `@kubernetes-models/cert-manager/cert-manager.io/v1`.",
  ],
  "bad-external-module": [
    "`--external-api-module` isn't a valid npm package.",
    "Use its name, optionally with a version: `@kubernetes-models/cert-manager@3.0.0`.",
  ],
  "no-core-kind": [
    "The group is a built-in API group without this kind in this version.",
    "Correct the kind or version. The message lists the kinds.",
  ],
  "no-webhook-type": [
    "`create webhook` was called without a webhook type.",
    "Set at least one of `--defaulting`, `--programmatic-validation` and `--conversion`.",
  ],
  "path-without-type": [
    "A path is set for a webhook that is not created.",
    "Add the flag of the webhook, or remove the path.",
  ],
  "bad-path": ["The path of a webhook isn't valid.", "Begin it with `/`, such as `/check-game`."],
  "same-path": ["Both webhooks have the same path.", "Use different paths, or omit both flags."],
  "spoke-without-conversion": ["`--spoke` is set without `--conversion`.", "Add `--conversion`."],
  "bad-spoke": ["`--spoke` contains an invalid API version.", "Use a comma-separated list of versions: `v1,v2`."],
  "same-spoke": ["`--spoke` lists a version twice.", "List it once."],
  "hub-as-spoke": [
    "The hub, which is the storage version, is also listed as a spoke.",
    "Set the hub with `--version`, and list only the other versions in `--spoke`.",
  ],
  "bad-crd": [
    "The value of `--from-crd` isn't a CustomResourceDefinition from which types can be created.",
    "Use a CRD of `apiextensions.k8s.io/v1` with a structural schema.",
  ],
  "license-file": ["The file of `--license-file` can't be read.", "Correct the path."],
  "no-owner": [
    "`--owner` changes the copyright line of `hack/boilerplate.txt`, but the file has none.",
    "Add `--license` or `--license-file`.",
  ],
} as const satisfies Sentences;
