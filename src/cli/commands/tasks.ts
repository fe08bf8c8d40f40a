import type { ReportedDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Task } from "../../tasks/task.ts";
import type { CommandContext, CommandModule, CommandResult } from "../framework/command.ts";
import { CliError } from "../framework/errors.ts";
import { isOn, switchValue } from "../framework/flags.ts";
import { Interruption } from "../framework/interruption.ts";
import { withCliErrors } from "../framework/problems.ts";
import { loadProject } from "../models/project-work.ts";

const notFoundWords = ["ignore-not-found", "ignore-not-found=true", "ignore-not-found=false"];

type Flag = "ignore-not-found" | "force" | "bundle-only";

interface TaskDefinition {
  readonly description: string;
  readonly flags?: readonly Flag[];
  /** The help of the arguments that the task passes to a program. */
  readonly passes?: string;
  /** How the task's interruption is reported. */
  readonly stopped?: string;
  run(task: Task): Promise<void>;
}

const flagHelp: Readonly<Record<Flag, string>> = {
  "ignore-not-found": "ignore objects that don't exist (also IGNORE_NOT_FOUND=true)",
  force: "remove finalizers that only the manager could remove (also FORCE=true)",
  "bundle-only": "only bundle: don't generate manifests, format, or check types",
};

const release = (command: string, description: string): TaskDefinition => ({
  description: `${description} The release is HELM_RELEASE in the namespace HELM_NAMESPACE.`,
  passes: `flags for helm ${command}, after --`,
  run: async (task) => (await import("../../tasks/helm.ts")).onRelease(task, command),
});

/** The commands that the make targets and npm scripts of a project call. Environment variables set the same as in make. */
const tasks = {
  build: {
    description: "Generate manifests, format the code, check its types, and bundle the manager into dist/main.js.",
    flags: ["bundle-only"],
    run: async (task) => (await import("../../tasks/manager.ts")).build(task),
  },
  run: {
    description: "Run the manager on this machine, as make run does: build it, and start it.",
    passes: "flags for the manager, after --: npx scaffold run -- --leader-elect",
    stopped: "the manager was stopped",
    run: async (task) => (await import("../../tasks/manager.ts")).run(task),
  },
  install: {
    description: "Install the CRDs into the current cluster. KUBECTL and KUSTOMIZE set the programs.",
    run: async (task) => (await import("../../tasks/deploy.ts")).install(task),
  },
  uninstall: {
    description: "Uninstall the CRDs from the current cluster.",
    flags: ["ignore-not-found"],
    run: async (task) => (await import("../../tasks/deploy.ts")).uninstall(task),
  },
  deploy: {
    description:
      "Deploy CRDs, RBAC and the manager with the image IMG to the current cluster, and wait up to DEPLOY_TIMEOUT (3m) for the rollout.",
    run: async (task) => (await import("../../tasks/deploy.ts")).deploy(task),
  },
  undeploy: {
    description: "Delete everything that deploy applied.",
    flags: ["ignore-not-found", "force"],
    run: async (task) => (await import("../../tasks/deploy.ts")).undeploy(task),
  },
  "build-installer": {
    description: "Write dist/install.yaml with everything that deploy applies, with the image IMG.",
    run: async (task) => (await import("../../tasks/deploy.ts")).buildInstaller(task),
  },
  "docker-build": {
    description:
      "Build the image IMG of the manager with CONTAINER_TOOL. BASE_IMAGE replaces the image of the build, and IMAGE_VERSION, IMAGE_REVISION, IMAGE_SOURCE and IMAGE_LICENSES the labels.",
    run: async (task) => (await import("../../tasks/images.ts")).dockerBuild(task),
  },
  "docker-push": {
    description: "Push the image IMG of the manager.",
    run: async (task) => (await import("../../tasks/images.ts")).dockerPush(task),
  },
  "docker-buildx": {
    description: "Build and push the image IMG of the manager for all PLATFORMS.",
    run: async (task) => (await import("../../tasks/images.ts")).dockerBuildx(task),
  },
  "setup-test-e2e": {
    description: "Create the Kind cluster KIND_CLUSTER for the e2e tests if it doesn't exist.",
    run: async (task) => (await import("../../tasks/test-cluster.ts")).setupTestCluster(task),
  },
  "test-e2e": {
    description: "Run the e2e tests in a separate Kind cluster. The cluster is deleted if they pass.",
    passes: "flags for vitest, after --",
    run: async (task) => (await import("../../tasks/test-cluster.ts")).testInCluster(task),
  },
  "cleanup-test-e2e": {
    description: "Delete the Kind cluster of the e2e tests.",
    run: async (task) => (await import("../../tasks/test-cluster.ts")).cleanUpTestCluster(task),
  },
  "helm-deploy": {
    description: "Install or upgrade the chart with the image IMG and the flags in HELM_EXTRA_ARGS.",
    passes: "flags for helm upgrade, after --",
    run: async (task) => (await import("../../tasks/helm.ts")).helmDeploy(task),
  },
  "helm-package": {
    description: "Package the charts in dist/charts. VERSION sets the version and the appVersion.",
    run: async (task) => (await import("../../tasks/helm.ts")).helmPackage(task),
  },
  "helm-push": {
    description:
      "Package the charts and push them to the OCI registry CHART_REPO. dist/charts/pushed.txt lists their digests.",
    passes: "flags for helm push, after --",
    run: async (task) => (await import("../../tasks/helm.ts")).helmPush(task),
  },
  "helm-uninstall": release("uninstall", "Uninstall the Helm release. The CRDs are kept."),
  "helm-status": release("status", "Show the status of the Helm release."),
  "helm-history": release("history", "Show the revisions of the Helm release."),
  "helm-rollback": release("rollback", "Roll back to the previous revision of the Helm release."),
} satisfies Record<string, TaskDefinition>;

export type TaskName = keyof typeof tasks;

/** Returns the command of a task. */
export function taskCommand(name: TaskName): CommandModule {
  const task: TaskDefinition = tasks[name];
  return {
    define(program) {
      program.description(task.description);
      if (task.passes !== undefined) program.argument("[flag...]", task.passes);
      // npm treats a flag after "npm run undeploy" as its own.
      if (task.flags?.includes("ignore-not-found")) {
        program.addArgument(
          program
            .createArgument("[ignore-not-found=true]", "the same as --ignore-not-found, in the syntax of make")
            .choices(notFoundWords),
        );
      }
      for (const flag of task.flags ?? []) {
        program.option(`--${flag} [bool]`, flagHelp[flag], switchValue(`--${flag}`));
      }
    },
    run: (context) => runTask(name, task, context),
  };
}

async function runTask(name: TaskName, task: TaskDefinition, context: CommandContext): Promise<CommandResult> {
  const { signal } = context;
  const project = await loadProject(context);
  const { Reported } = await import("../../tasks/task.ts");
  const failures: ReportedDiagnostic[] = [];
  const input = taskInput(context, project, failures);
  try {
    await withCliErrors(() => task.run(input));
  } catch (error) {
    if (error instanceof Reported) {
      return {
        exitCode: signal.aborted ? 130 : 1,
        ...(context.globals.json ? { diagnostics: failures } : { silent: true }),
      };
    }
    // A program that is interrupted fails.
    if (signal.aborted) {
      throw new CliError(130, "interrupted", `interrupted: ${task.stopped ?? `${name} isn't complete`}`);
    }
    throw error;
  }
  const { calls } = input;
  return calls === undefined
    ? { exitCode: 0 }
    : { exitCode: 0, operations: [], output: calls.join("\n"), data: { calls } };
}

/** @param failures - receives the diagnostics of commands that fail, with `--json` */
function taskInput(context: CommandContext, project: Task["project"], failures: ReportedDiagnostic[]): Task {
  const { cwd, env, args, options, globals, terminal, signal, call, callForJson } = context;
  const verbosity = [...(globals.quiet ? ["--quiet"] : []), ...(globals.verbose ? ["--verbose"] : [])];
  return {
    root: cwd,
    project,
    env,
    // pnpm adds its own "--" to that of the npm script.
    args: args[0] === "--" ? args.slice(1) : args,
    flags: {
      ignoreNotFound: isOn(options, "ignoreNotFound") || notFoundWords.slice(0, 2).includes(args[0] ?? ""),
      force: isOn(options, "force"),
      bundleOnly: isOn(options, "bundleOnly"),
    },
    ...(globals.dryRun ? { calls: [] } : {}),
    json: globals.json,
    color: terminal.color,
    signal,
    isTyped: () =>
      signal.reason instanceof Interruption && signal.reason.by === "SIGINT" && terminal.input.isTTY === true,
    async scaffold(argv) {
      if (!globals.json) return call([...argv, ...verbosity]);
      const { code, json } = await callForJson([...argv, ...verbosity]);
      if (code !== 0) failures.push(...(json.diagnostics ?? []));
      return code;
    },
    note: terminal.note,
    print: terminal.print,
  };
}
