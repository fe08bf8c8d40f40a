import { errors } from "./entry.ts";

/** What of the project's files keeps a command from its work. The tree is as it was before, unless the text says otherwise. */
export const fileErrors = errors({
  "file-exists": [
    "Files that would be made are there already.",
    "Move them away, or add `--force`, which names and overwrites them.",
  ],
  "missing-file": ["A file of the project that the command works on is gone.", "Restore it from version control."],
  "missing-anchor": [
    "A comment `+kubebuilder:scaffold:…` is gone or misspelt: it marks where commands put their lines.",
    "Put the line back where it was, or add the lines that the message shows by hand.",
  ],
  "bad-boilerplate": [
    "The text that begins each file holds more than comments.",
    "Make it a comment: begin each line with `//`, or put it all between `/*` and `*/`.",
  ],
  "missing-list": ["A YAML file has no list of the name to which an entry belongs.", "Put the list back."],
  "missing-section": [
    "A kustomization has lost an entry that options switch, even as a comment.",
    "Restore it from version control, or add the entry by hand.",
  ],
  "missing-chain": [
    "The function that registers a webhook or controller has no chain of calls to add one to.",
    "Put the chain back, or add the call by hand.",
  ],
  "missing-array": ["A constant has no list to which an entry belongs.", "Put the list back."],
  "call-exists": [
    "The code has the call already, and PROJECT doesn't record it.",
    "Remove the call and run the command again, or record in PROJECT what you wrote by hand.",
  ],
  "name-taken": [
    "The code has something of the name already, which PROJECT doesn't record.",
    "Rename it, or record in PROJECT what you wrote by hand.",
  ],
  "syntax-error": ["A file that would be edited is no TypeScript.", "Correct it at the line that is named."],
  "bad-package-json": ["`package.json` can't be added to.", "Make it a JSON object with objects of dependencies."],
  "bad-kustomization": ["A kustomization is no YAML.", "Correct it at the line that is named."],
  "chart-kustomization": [
    "The chart is made of what `config/` builds, and a kustomization there has what can't be built here.",
    "Write it with the fields that kustomizations of the scaffolder have.",
  ],
  "chart-resource": [
    "The chart is made of what `config/` builds, and a file that a kustomization there names is missing or can't be built here.",
    "Correct the entry that the message names.",
  ],
  "chart-yaml": ["A file of the chart is no YAML.", "Correct it, or remove it: it is made again."],
  "dangling-link": ["A link leads nowhere.", "Remove it."],
  "not-a-directory": ["A file has the name of a directory that is needed.", "Move it away."],
  "not-a-file": ["Something has the name of a file that is needed, and is none.", "Move it away."],
  "outside-project": [
    "A path leads out of the project, by a link or by `..`. Nothing is written there.",
    "Replace the link by what it leads to.",
  ],
  "too-large": [
    "A file of the project is larger than any that a command works on, or copies in `.kubewright/` unpack to more than that.",
    "Restore it from version control.",
  ],
  "changed-meanwhile": ["A file appeared or changed while the command ran.", "Run the command again."],
  "write-failed": [
    "The system refuses to write: no right to, a full disk, a tree that is read-only.",
    "Mend what the message names, and run the command again.",
  ],
  "no-private-directory": [
    "A command that writes keeps a lock and a journal in directories that are yours alone. Those that it found belong to somebody else, are links, or can't be created.",
    "Remove what the message names, or set `XDG_STATE_HOME` to a directory that only you can write to.",
  ],
  "undo-failed": [
    "Writing failed, and so did putting back what had been written. The message lists what is left.",
    "Restore those files from version control.",
  ],
  "interrupted-run": [
    "A command was killed while it wrote, and half of its files are there.",
    "Run any command that changes the project: it takes them back first.",
  ],
  "merge-conflict": [
    "You and the templates have changed the same lines; both are in the file.",
    "Choose between `<<<<<<<` and `>>>>>>>`, and remove those lines.",
  ],
});
