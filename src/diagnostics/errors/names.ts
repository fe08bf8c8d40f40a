import { errors } from "./entry.ts";

/** Values of flags that can't be used: found before anything is read or written. */
export const nameErrors = errors({
  "bad-domain": ["`--domain` is no DNS name.", "Use lower-case letters, digits, `-` and `.`, such as `example.com`."],
  "bad-project-name": [
    "`--project-name`, or the directory's name in its place, is no DNS label. It names the namespace and begins the names of all that is deployed.",
    "Use lower-case letters, digits and `-`, such as `mygame`.",
  ],
  "bad-repo": [
    "`--repo` is neither the name of an npm package nor a module path.",
    "Write `@acme/mygame` or `github.com/acme/mygame`.",
  ],
  "reserved-repo": [
    "The project's npm package would have a name that npm keeps for itself, or that of a package that the project needs.",
    "Take another name, such as one with a scope: `@acme/mygame`.",
  ],
  "bad-owner": ["`--owner` holds what would end the comment at the head of each file.", "Write one line of text."],
  "bad-webhook-certs": ["`--webhook-certs` is none of the ways there are.", "Write `self`, `cert-manager` or `files`."],
  "missing-group": [
    "`--group` is missing: without a domain, a group is all that tells the project's kinds from others'.",
    "Name one, such as `--group shop`.",
  ],
  "bad-group": [
    "`--group`, or the group of a CustomResourceDefinition, is no DNS name.",
    "Use lower-case letters, digits, `-` and `.`, without the project's domain, such as `shop`.",
  ],
  "reserved-group": [
    "A directory of the group's name would be passed over by `make manifests` or by git, or can't be made on Windows.",
    "Take another name, such as `shop`.",
  ],
  "bad-version": ["`--version` is no version of an API.", "Write `v1`, `v1alpha1`, `v2beta3` and the like."],
  "bad-kind": [
    "`--kind` is no name of a kind, or one with more than 63 characters.",
    "Begin with an upper-case letter and go on with letters and digits, such as `Game`.",
  ],
  "reserved-kind": [
    "The name means something in TypeScript or JavaScript already (`Object`, `Promise`, `Event` …), and the generated code would hide it; or it is one that Kubernetes keeps for itself.",
    "Take another, such as `GameEvent` for `Event`.",
  ],
  "bad-plural": ["`--plural` is no name of a resource.", "Use lower-case letters, digits and `-`, such as `games`."],
  "bad-controller-name": [
    "`--controller-name` can't be made the name of a file and a class.",
    "Use lower-case letters, digits and `-`, beginning with a letter, such as `game-backup`.",
  ],
  "bad-external-api": [
    "An entry of `--external-apis` doesn't say which package has the types of which version of an API.",
    "`<group>/<version>=<npm package>[@<version>][/<path>]`, with commas between several.",
  ],
  "external-without-path": [
    "`--external-api-domain` or `--external-api-module` stands alone: it doesn't say where the types are.",
    "Name the module that exports them with `--external-api-path`.",
  ],
  "bad-external-path": [
    "`--external-api-path` is no module of an npm package.",
    "Write what an import would, such as `@kubernetes-models/cert-manager/cert-manager.io/v1`.",
  ],
  "bad-external-module": [
    "`--external-api-module` is no npm package.",
    "Write its name, with a version or without: `@kubernetes-models/cert-manager@3.0.0`.",
  ],
  "no-core-kind": [
    "The group is one of Kubernetes' own, and has no such kind in that version.",
    "Correct kind or version; the message lists what there is.",
  ],
  "no-webhook-type": [
    "`create webhook` wasn't told which webhooks to make.",
    "Give at least one of `--defaulting`, `--programmatic-validation` and `--conversion`.",
  ],
  "path-without-type": [
    "A path was given for a webhook that isn't made.",
    "Add the webhook's flag, or take the path away.",
  ],
  "bad-path": ["A webhook's path is none.", "Begin with `/`, such as `/check-game`."],
  "same-path": ["Both webhooks would listen at one path.", "Give each its own, or leave both flags out."],
  "spoke-without-conversion": ["`--spoke` names versions that nothing converts.", "Add `--conversion`."],
  "bad-spoke": ["`--spoke` holds what is no version of an API.", "Write versions with commas between them: `v1,v2`."],
  "same-spoke": ["`--spoke` names a version twice.", "Name it once."],
  "hub-as-spoke": [
    "The version that is stored is named as one that is converted to it.",
    "`--version` names the hub, `--spoke` all the others.",
  ],
  "bad-crd": [
    "What `--from-crd` names isn't a CustomResourceDefinition that types can be made of.",
    "Give one of `apiextensions.k8s.io/v1` with a structural schema.",
  ],
  "license-file": ["The file of `--license-file` can't be read.", "Correct the path."],
  "no-owner": [
    "`--owner` alone changes the line that names the owner, and `hack/boilerplate.txt` has none.",
    "Give `--license` or `--license-file` as well.",
  ],
});
