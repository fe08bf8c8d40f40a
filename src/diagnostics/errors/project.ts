import type { Sentences } from "../definitions/entry.ts";

/** Problems with PROJECT, and valid calls that the state of the project doesn't allow. */
export const projectErrors = {
  "directory-not-empty": [
    "`scaffold create project` creates a project with an example, and the directory contains files.",
    "Choose a new directory, or use `scaffold init`, which keeps your files.",
  ],
  "not-a-project": [
    "The directory has no PROJECT file.",
    "Change to the project's directory, or start a project with `scaffold init`.",
  ],
  "project-exists": [
    "`scaffold init` creates a project, but the directory already contains one.",
    "Use `scaffold edit` to change its settings, or use an empty directory.",
  ],
  "foreign-project": [
    "PROJECT was created by another tool, such as kubebuilder for Go, and has a different layout.",
    "Start a separate project with `scaffold init`, or convert a kubebuilder project with `scaffold migrate`.",
  ],
  "no-go-project": [
    "The directory for `scaffold migrate` doesn't contain a kubebuilder project in Go.",
    "Use the directory with PROJECT, `go.mod` and `config/`.",
  ],
  "no-external-types": [
    "The project has controllers or webhooks for kinds from a Go module, which TypeScript can't import.",
    "Set the npm package with their types, such as `--external-apis cert-manager.io/v1=@kubernetes-models/cert-manager@6.0.0/cert-manager.io/v1`.",
  ],
  "old-project": [
    "PROJECT has version 2, which kubebuilder 2 wrote, and `scaffold migrate` reads version 3.",
    "Create the same kinds with kubebuilder in an empty directory, and use the PROJECT that it writes.",
  ],
  "unknown-lease": [
    "`scaffold migrate` can't read from the Go code which Lease elects the leader, so the old and the new operator could reconcile at the same time.",
    "Set the name with `--leader-election-id`. `kubectl get leases` lists it in the namespace of the Go operator.",
  ],
  "broken-project": [
    "PROJECT can't be read, or contains an invalid value.",
    "Restore it from version control, or correct the line in the message.",
  ],
  "bad-diagnostic-level": [
    "PROJECT configures an unknown diagnostic or an unknown level.",
    "Use an id from the reference of diagnostics, and the level `off`, `warning` or `error`.",
  ],
  "api-exists": ["The kind already exists.", "Edit its types. `--force` overwrites the files, including your changes."],
  "no-api": [
    "The project has no kind with this group, version and name.",
    "Correct the flags, or create the kind first with `scaffold create api`.",
  ],
  "controller-exists": [
    "The kind already has a controller, which reconciles all of its versions.",
    "Use `--controller=false` to add a version, or `--controller-name` to add another controller.",
  ],
  "name-collision": [
    "Another kind of the project has files with the same name.",
    "Choose another kind, or convert the project to multi-group with `scaffold edit --multigroup`.",
  ],
  "second-group": ["By default, a project supports one API group.", "Run `scaffold edit --multigroup` first."],
  "group-collision": [
    "Two groups would have the same directory, or a group would have both own and external kinds.",
    "Choose another name for the group, or follow the hint.",
  ],
  "several-groups": [
    "`--multigroup=false` would put the kinds of several groups into one directory.",
    "Delete all groups except one first, with `scaffold delete api`.",
  ],
  "scope-differs": [
    "The kind's scope differs from that of its other versions. One CRD contains all versions.",
    "Set `--namespaced` to the value in the message.",
  ],
  "plural-differs": ["The kind already has another plural. One CRD contains all versions.", "Omit `--plural`."],
  "plural-taken": [
    "Another kind of the group has the same plural, so both would be the same resource.",
    "Set another plural with `--plural`.",
  ],
  "origin-differs": [
    "The flags and PROJECT have different sources for the kind's types.",
    "Omit the flags `--external-api-*`, because PROJECT contains the values. To create types for the kind, delete it first.",
  ],
  "webhook-exists": [
    "The kind already has this webhook.",
    "Edit its file. `--force` overwrites the files, including your changes.",
  ],
  "no-webhook": ["The kind doesn't have the webhook to delete.", "Omit or correct the flag."],
  "has-webhooks": [
    "The types to delete are needed by the kind's webhooks, or by the conversion of a version that has this one as a spoke.",
    "Delete those first with `scaffold delete webhook`, as in the message.",
  ],
  "stored-version": [
    "`status.storedVersions` of the CRD in the cluster of your kubeconfig contains the version to delete, so its objects may be stored in it.",
    "Migrate the stored objects first, or use `--force` if you don't apply the CRD to that cluster.",
  ],
  "foreign-conversion": [
    "Only the owner of a CRD can convert between its versions, and the kind doesn't belong to this project.",
    "Omit `--conversion`.",
  ],
  "unknown-spoke": [
    "`--spoke` contains a version that the kind doesn't have.",
    "Create it first with `scaffold create api`, or correct the version.",
  ],
  "other-hub": [
    "A kind has one hub, its storage version, and another version already is the hub.",
    "Set `--version` to that version to add spokes to it.",
  ],
  "path-taken": ["Another webhook uses this path.", "Choose another path with the flag in the message."],
  "option-missing": [
    "`edit --enable` contains an option whose lines aren't in the project.",
    "Scaffold its prerequisite first, for example webhooks with `scaffold create webhook`.",
  ],
  "option-needs": ["The option requires another option, which is disabled.", "Enable both."],
  "option-needed": ["Another enabled option requires this one.", "Disable both."],
  "nothing-to-compare": [
    "The revision or directory of `--against` contains no CRDs to compare.",
    "Use a git revision in which `config/crd/bases` is committed, or a directory with CRDs.",
  ],
  "no-crd": ["The CRD of `--from-crd` can't be read or downloaded.", "Correct the path or URL."],
} as const satisfies Sentences;
