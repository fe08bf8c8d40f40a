import type { Sentences } from "../definitions/entry.ts";

/** Problems with project files that make a command fail. The project is unchanged, unless the text states otherwise. */
export const fileErrors = {
  "file-exists": [
    "Files that the command would create already exist.",
    "Move them, or use `--force`, which lists and overwrites them.",
  ],
  "missing-file": ["A project file that the command needs is missing.", "Restore it from version control."],
  "missing-anchor": [
    "A comment `+kubebuilder:scaffold:…`, which marks where commands insert lines, is missing or misspelled.",
    "Restore the comment, or add the lines in the message by hand.",
  ],
  "bad-boilerplate": [
    "The license header contains more than comments.",
    "Begin each line with `//`, or enclose the text in `/*` and `*/`.",
  ],
  "missing-list": ["A YAML file doesn't contain the list to which an entry must be added.", "Restore the list."],
  "missing-section": [
    "A kustomization doesn't contain an entry for an option, not even as a comment.",
    "Restore it from version control, or add the entry by hand.",
  ],
  "missing-chain": [
    "The function that registers a webhook or controller doesn't contain the chain of calls to extend.",
    "Restore the chain, or add the call by hand.",
  ],
  "missing-array": ["A constant doesn't contain the list to which an entry must be added.", "Restore the list."],
  "call-exists": [
    "The code already contains the call, but PROJECT doesn't record it.",
    "Remove the call and run the command again, or record your code in PROJECT.",
  ],
  "name-taken": [
    "The code already declares the name, but PROJECT doesn't record it.",
    "Rename the declaration, or record your code in PROJECT.",
  ],
  "syntax-error": ["A file to edit isn't valid TypeScript.", "Fix the syntax error at the reported line."],
  "bad-package-json": ["`package.json` can't be edited.", "Make it a JSON object in which dependencies are objects."],
  "bad-kustomization": ["A kustomization isn't valid YAML.", "Fix the syntax error at the reported line."],
  "chart-kustomization": [
    "A kustomization in `config/`, from which the chart is rendered, uses a feature that isn't supported here.",
    "Use only the fields of the scaffolded kustomizations.",
  ],
  "chart-resource": [
    "A kustomization in `config/`, from which the chart is rendered, lists a file that is missing or isn't supported here.",
    "Correct the entry in the message.",
  ],
  "chart-yaml": ["A file of the chart isn't valid YAML.", "Fix the file, or delete it to create it again."],
  "dangling-link": ["The target of a link doesn't exist.", "Remove the link."],
  "not-a-directory": ["A required directory path exists but isn't a directory.", "Move or rename the file."],
  "not-a-file": ["A required file path exists but isn't a regular file.", "Move or rename it."],
  "outside-project": [
    "A path leads out of the project through a link or `..`. Nothing is written there.",
    "Replace the link with its target.",
  ],
  "bad-makefile": [
    "The options of `scaffold generate` in the `manifests` target of the Makefile contain a function of make.",
    "Use variables such as `$(NAME)` only, or write the options themselves.",
  ],
  "damaged-archive": [
    "`.kubewright/pristine.txtar` is the result of a merge of branches, or was edited: a path occurs twice or isn't valid, or a text doesn't match its digest.",
    "Run `npx scaffold upgrade --rebase`.",
  ],
  "too-large": [
    "A project file, or a copy in `.kubewright/` when unpacked, exceeds the size limit.",
    "Restore it from version control.",
  ],
  "changed-meanwhile": ["A file was created or modified while the command was running.", "Run the command again."],
  "write-failed": [
    "The operating system refused a write: missing permissions, a full disk, or a read-only file system.",
    "Fix the reported problem and run the command again.",
  ],
  "no-private-directory": [
    "A command that writes keeps a lock and a journal in private directories. The existing ones belong to another user, are links, or can't be created.",
    "Remove the paths in the message, or set `XDG_STATE_HOME` to a directory that only you can write to.",
  ],
  "undo-failed": [
    "A write failed, and undoing the earlier writes failed too. The message lists the changed files.",
    "Restore those files from version control.",
  ],
  "interrupted-run": [
    "A command was killed while it was writing, and its changes are incomplete.",
    "Run any command that changes the project. It undoes those changes first.",
  ],
  "merge-conflict": [
    "You and the templates changed the same lines. The file contains both versions.",
    "Resolve the conflicts between `<<<<<<<` and `>>>>>>>`, and remove those lines.",
  ],
} as const satisfies Sentences;
