import type { DevSubcommand } from "./commands/dev-session.ts";
import type { TaskName } from "./commands/tasks.ts";
import type { CommandEntry, CommandModule } from "./framework/command.ts";

/** The entry of a command, without the section. */
type Entry = Omit<CommandEntry, "group">;

const entry = (words: string, summary: string, file: () => Promise<{ command: CommandModule }>): Entry => ({
  words: words.split(" "),
  summary,
  load: async () => (await file()).command,
});

const task = (name: TaskName, summary: string): Entry => ({
  words: [name],
  summary,
  load: async () => (await import("./commands/tasks.ts")).taskCommand(name),
});

const dev = (name: DevSubcommand, summary: string): Entry => ({
  words: ["dev", name],
  summary,
  load: async () => (await import("./commands/dev-session.ts")).devSubcommand(name),
});

/** The commands by section of `scaffold --help`. To add a command, add its file and an entry here. */
const groups: Readonly<Record<string, readonly Entry[]>> = {
  "Scaffold a project": [
    entry("init", "Start a new operator project", () => import("./commands/init.ts")),
    entry("create project", "Create a project with a working operator", () => import("./commands/create-project.ts")),
    entry("create api", "Add a kind and its controller", () => import("./commands/create-api.ts")),
    entry(
      "create webhook",
      "Add defaulting, validation or conversion webhooks",
      () => import("./commands/create-webhook.ts"),
    ),
    entry(
      "delete api",
      "Delete an API: its types, controller and registrations",
      () => import("./commands/delete-api.ts"),
    ),
    entry("delete webhook", "Delete webhooks of a kind", () => import("./commands/delete-webhook.ts")),
    entry("edit", "Change project settings, keeping your edits", () => import("./commands/edit.ts")),
    entry("upgrade", "Update scaffolded files, keeping your edits", () => import("./commands/upgrade.ts")),
    entry("migrate", "Convert a kubebuilder (Go) project", () => import("./commands/migrate.ts")),
  ],
  "Build and run": [
    entry("generate", "Generate CRDs, roles and webhook configurations", () => import("./commands/generate.ts")),
    entry(
      "manifests",
      "Generate with the Makefile's options, and update the chart",
      () => import("./commands/manifests.ts"),
    ),
    task("build", "Generate, format, check types, and bundle the manager"),
    task("run", "Run the manager on this machine"),
    entry("dev", "Develop with a local API server and a dashboard", () => import("./commands/dev.ts")),
    entry("plan", "Show what the operator would change in a cluster", () => import("./commands/plan.ts")),
    entry("simulate", "Find the operator's bugs in simulated clusters", () => import("./commands/simulate.ts")),
  ],
  "Use the running scaffold dev": [
    dev("status", "Show cluster, manager and errors"),
    dev("open", "Print a new link to the dashboard"),
    dev("why", "Show why an object was reconciled"),
    dev("apply", "Apply withheld changes of CRDs"),
    dev("timeline", "Show what happened to an object"),
    dev("objects", "List the objects as owner trees"),
    dev("queue", "Show the queues of the controllers"),
    dev("delete", "Delete an object"),
    dev("reconcile", "Reconcile an object now"),
    dev("fault", "Let something fail"),
  ],
  "Deploy to the current cluster": [
    task("install", "Install the CRDs into the current cluster"),
    task("uninstall", "Uninstall the CRDs from the current cluster"),
    task("deploy", "Deploy the manager to the current cluster"),
    task("undeploy", "Delete everything that deploy applied"),
    task("build-installer", "Write dist/install.yaml with everything that deploy applies"),
    task("helm-deploy", "Install or upgrade the Helm release"),
    task("helm-package", "Package the Helm charts"),
    task("helm-push", "Push the Helm charts to a registry"),
    task("helm-uninstall", "Uninstall the Helm release"),
    task("helm-status", "Show the status of the Helm release"),
    task("helm-history", "Show the revisions of the Helm release"),
    task("helm-rollback", "Roll back the Helm release"),
  ],
  "Build images": [
    task("docker-build", "Build the image of the manager"),
    task("docker-push", "Push the image of the manager"),
    task("docker-buildx", "Build and push the image for several platforms"),
  ],
  "Test in a Kind cluster": [
    task("setup-test-e2e", "Create a Kind cluster for the e2e tests"),
    task("test-e2e", "Run the e2e tests in a Kind cluster"),
    task("cleanup-test-e2e", "Delete the Kind cluster of the e2e tests"),
  ],
  "Other commands": [
    entry("mcp", "Serve tools for coding assistants", () => import("./commands/mcp.ts")),
    entry(
      "doctor",
      "Check machine, cluster and project for missing prerequisites",
      () => import("./commands/doctor.ts"),
    ),
    entry("completion", "Print a shell completion script", () => import("./commands/completion.ts")),
    entry("version", "Print the version", () => import("./commands/version.ts")),
  ],
};

/** Every command, in the order of `scaffold --help`. */
export const commands: readonly CommandEntry[] = Object.entries(groups).flatMap(([group, entries]) =>
  entries.map((entry) => ({ ...entry, group })),
);
