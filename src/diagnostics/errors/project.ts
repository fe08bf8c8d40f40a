import { errors } from "./entry.ts";

/** What PROJECT says, and what refuses a correct call because of it. */
export const projectErrors = errors({
  "not-a-project": [
    "The directory holds no PROJECT file.",
    "Change to the project's directory, or start a project with `scaffold init`.",
  ],
  "project-exists": [
    "`scaffold init` starts projects, and the directory holds one.",
    "Use `scaffold edit` to change its options, or an empty directory.",
  ],
  "foreign-project": [
    "PROJECT was made by another tool, such as kubebuilder for Go: its layout is another.",
    "Start a project of its own with `scaffold init`; `scaffold migrate` moves a project of kubebuilder.",
  ],
  "no-go-project": [
    "`scaffold migrate` was given a directory without a project of kubebuilder in Go.",
    "Name the directory that has PROJECT, `go.mod` and `config/`.",
  ],
  "no-external-types": [
    "The project has controllers or webhooks of kinds from a Go module, which TypeScript can't import.",
    "Name the npm package that has their types, as `--external-apis cert-manager.io/v1=@kubernetes-models/cert-manager@6.0.0/cert-manager.io/v1`.",
  ],
  "broken-project": [
    "PROJECT can't be read, or says what can't be.",
    "Restore it from version control, or correct the line that the message names.",
  ],
  "bad-diagnostic-level": [
    "PROJECT sets a diagnostic that there isn't, or to a level that there isn't.",
    "Correct the line: `off`, `warning` or `error`, by an id of the reference of diagnostics.",
  ],
  "api-exists": [
    "The kind has been made already.",
    "Edit its types. `--force` scaffolds the files again, over your changes.",
  ],
  "no-api": [
    "The project has no kind of that group, version and name.",
    "Correct the flags, or make the kind first with `scaffold create api`.",
  ],
  "controller-exists": [
    "The kind has a controller already: one serves all of its versions.",
    "Give `--controller=false` for a further version, or `--controller-name` for a controller beside it.",
  ],
  "name-collision": [
    "Another kind of the project has files of that name.",
    "Take another kind, or make the project one with several groups: `scaffold edit --multigroup`.",
  ],
  "second-group": [
    "A project has room for one API group, unless it is told otherwise.",
    "Run `scaffold edit --multigroup` first.",
  ],
  "group-collision": ["The directories of two groups would be one.", "Take another name for the group."],
  "several-groups": [
    "`--multigroup=false` would put the kinds of several groups into one directory.",
    "Take all groups but one away first, with `scaffold delete api`.",
  ],
  "scope-differs": [
    "Another version of the kind is namespaced and this one not, or the other way round. One CRD holds both.",
    "Give `--namespaced` the value that the message names.",
  ],
  "plural-differs": ["The kind has another plural already. One CRD holds all versions.", "Leave `--plural` out."],
  "plural-taken": [
    "Another kind of the group has that plural, so both would be one resource.",
    "Choose one with `--plural`.",
  ],
  "origin-differs": [
    "PROJECT says that the kind's types come from elsewhere than the flags do.",
    "Leave the flags `--external-api-*` out: they are recorded.",
  ],
  "webhook-exists": [
    "The kind has that webhook already.",
    "Edit its file. `--force` scaffolds the files again, over your changes.",
  ],
  "no-webhook": ["The kind has no such webhook to delete.", "Leave out the flag, or correct it."],
  "has-webhooks": [
    "The kind's webhooks need its types, which would go; so does the conversion of another version that it is a spoke of.",
    "Delete them first: `scaffold delete webhook`, as the message shows.",
  ],
  "foreign-conversion": [
    "Only who owns a kind's CRD converts between its versions, and this kind isn't the project's.",
    "Leave `--conversion` out.",
  ],
  "unknown-spoke": [
    "`--spoke` names a version that the kind doesn't have.",
    "Make it first with `scaffold create api`, or correct the version.",
  ],
  "other-hub": [
    "A kind has one hub, the version that is stored, and another version is it already.",
    "Add spokes to that one: name it with `--version`.",
  ],
  "path-taken": ["Another webhook listens at that path.", "Choose another with the flag that the message names."],
  "option-missing": [
    "`edit --enable` names an option whose lines aren't in the project.",
    "Scaffold what it belongs to first: webhooks with `scaffold create webhook`.",
  ],
  "option-needs": ["The option needs another one, which is off.", "Enable both."],
  "option-needed": ["Another option that is on needs this one.", "Disable both."],
  "nothing-to-compare": [
    "`--against` names a revision or a directory without CRDs that could be compared.",
    "Name a revision of git in which `config/crd/bases` is committed, or a directory with CRDs.",
  ],
  "no-crd": ["What `--from-crd` names can't be read or fetched.", "Correct the path or the address."],
});
