import { testClusterName } from "../project/names.ts";
import type { Project } from "../project/project-file.ts";

/** The input of a task, such as `deploy`: the project, and the command's flags and streams. */
export interface Task {
  /** The absolute path of the project. */
  readonly root: string;
  readonly project: Project;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Arguments for the program that the task runs. */
  readonly args: readonly string[];
  readonly flags: { readonly ignoreNotFound: boolean; readonly force: boolean; readonly bundleOnly: boolean };
  /** The program calls of a dry run, which runs none of them. Undefined otherwise. */
  readonly calls?: string[];
  /** Whether stdout is for the result of the command, so that programs print on stderr instead. */
  readonly json: boolean;
  /** Whether programs whose output is read may print colors, because a terminal shows it. */
  readonly color: boolean;
  readonly signal: AbortSignal;
  /** Whether the user has typed Ctrl-C, so that the terminal has sent the signal to all programs. */
  readonly isTyped: () => boolean;
  /** Runs a command of the CLI, and returns its exit code. */
  readonly scaffold: (argv: readonly string[]) => Promise<number>;
  /** Prints a line of progress or advice. */
  readonly note: (line: string) => void;
  /** Prints text on stderr. */
  readonly print: (text: string) => void;
}

/** Ends a task whose failure is already printed. */
export class Reported extends Error {}

/** The settings of the tasks: environment variables with the names and defaults of kubebuilder's Makefile. */
export function settings({ env, project, flags }: Pick<Task, "env" | "project" | "flags">) {
  const kubectl = env.KUBECTL || "kubectl";
  return {
    image: env.IMG || "controller:latest",
    kubectl,
    kustomize: words(env.KUSTOMIZE || `${kubectl} kustomize`),
    containerTool: env.CONTAINER_TOOL || "docker",
    platforms: env.PLATFORMS || "linux/arm64,linux/amd64,linux/s390x,linux/ppc64le",
    kind: env.KIND || "kind",
    cluster: env.KIND_CLUSTER || testClusterName(project.projectName),
    helm: env.HELM || "helm",
    release: env.HELM_RELEASE || project.projectName,
    releaseNamespace: env.HELM_NAMESPACE || `${project.projectName}-system`,
    helmArguments: words(env.HELM_EXTRA_ARGS ?? ""),
    chartRepository: env.CHART_REPO ?? "",
    chartVersion: env.VERSION ?? "",
    rolloutTimeout: env.DEPLOY_TIMEOUT || "3m",
    ignoreNotFound: flags.ignoreNotFound || env.IGNORE_NOT_FOUND === "true",
    force: flags.force || env.FORCE === "true",
  };
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}
