import type { CommandEntry } from "./command.ts";

/** Every command, in the order of `scaffold --help`. Adding a command is adding a file and an entry here. */
export const commands: readonly CommandEntry[] = [
  {
    words: ["init"],
    summary: "start a new operator project in the current directory",
    load: async () => (await import("./commands/init.ts")).command,
  },
  {
    words: ["create", "api"],
    summary: "add a kind to the API, with its controller",
    load: async () => (await import("./commands/create-api.ts")).command,
  },
  {
    words: ["create", "webhook"],
    summary: "add webhooks to a kind: defaulting, validation, conversion",
    load: async () => (await import("./commands/create-webhook.ts")).command,
  },
  {
    words: ["delete", "api"],
    summary: "take back what create api made of a kind",
    load: async () => (await import("./commands/delete-api.ts")).command,
  },
  {
    words: ["delete", "webhook"],
    summary: "take back webhooks of a kind",
    load: async () => (await import("./commands/delete-webhook.ts")).command,
  },
  {
    words: ["generate"],
    summary: "write CRDs, roles and webhook configurations from types and markers",
    load: async () => (await import("./commands/generate.ts")).command,
    recall: async (context) => (await import("./commands/generate/call-cache.ts")).runCachedCall(context),
  },
  {
    words: ["edit"],
    summary: "give the project other options, with your changes",
    load: async () => (await import("./commands/edit.ts")).command,
  },
  {
    words: ["upgrade"],
    summary: "merge what this version would scaffold with your changes",
    load: async () => (await import("./commands/upgrade.ts")).command,
  },
  {
    words: ["migrate"],
    summary: "make a project of one in Go that kubebuilder has made",
    load: async () => (await import("./commands/migrate.ts")).command,
  },
  {
    words: ["run"],
    summary: "run the manager on this machine, as make run does",
    load: async () => (await import("./commands/run.ts")).command,
  },
  {
    words: ["doctor"],
    summary: "name what the machine or the project lacks",
    load: async () => (await import("./commands/doctor.ts")).command,
  },
  {
    words: ["completion"],
    summary: "print a script that makes your shell complete scaffold's words",
    load: async () => (await import("./commands/completion.ts")).command,
  },
  {
    words: ["version"],
    summary: "print the version",
    load: async () => (await import("./commands/version.ts")).command,
  },
];
