import type { CommandEntry } from "./command.ts";

/** Every command, in the order of `scaffold --help`. To add a command, add its file and an entry here. */
export const commands: readonly CommandEntry[] = [
  {
    words: ["init"],
    summary: "Start a new operator project",
    load: async () => (await import("./commands/init.ts")).command,
  },
  {
    words: ["create", "api"],
    summary: "Add a kind and its controller",
    load: async () => (await import("./commands/create-api.ts")).command,
  },
  {
    words: ["create", "webhook"],
    summary: "Add defaulting, validation or conversion webhooks",
    load: async () => (await import("./commands/create-webhook.ts")).command,
  },
  {
    words: ["delete", "api"],
    summary: "Delete an API: its types, controller and registrations",
    load: async () => (await import("./commands/delete-api.ts")).command,
  },
  {
    words: ["delete", "webhook"],
    summary: "Delete webhooks of a kind",
    load: async () => (await import("./commands/delete-webhook.ts")).command,
  },
  {
    words: ["generate"],
    summary: "Generate CRDs, roles and webhook configurations",
    load: async () => (await import("./commands/generate.ts")).command,
  },
  {
    words: ["edit"],
    summary: "Change project settings, keeping your edits",
    load: async () => (await import("./commands/edit.ts")).command,
  },
  {
    words: ["upgrade"],
    summary: "Update scaffolded files, keeping your edits",
    load: async () => (await import("./commands/upgrade.ts")).command,
  },
  {
    words: ["migrate"],
    summary: "Convert a kubebuilder (Go) project",
    load: async () => (await import("./commands/migrate.ts")).command,
  },
  {
    words: ["run"],
    summary: "Run the manager on this machine",
    load: async () => (await import("./commands/run.ts")).command,
  },
  {
    words: ["doctor"],
    summary: "Check machine, cluster and project for missing prerequisites",
    load: async () => (await import("./commands/doctor.ts")).command,
  },
  {
    words: ["completion"],
    summary: "Print a shell completion script",
    load: async () => (await import("./commands/completion.ts")).command,
  },
  {
    words: ["version"],
    summary: "Print the version",
    load: async () => (await import("./commands/version.ts")).command,
  },
];
