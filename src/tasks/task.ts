import type { Project } from "../project/project-file.ts";
import type { Runner } from "./runner.ts";
import type { VariableName, Variables } from "./variables.ts";

/** The input of a task. */
export interface TaskContext {
  /** The directory of the project. */
  readonly root: string;
  readonly project: Project;
  readonly variables: Variables;
  /** Flags for the program that the task starts, such as those of the manager. */
  readonly args: readonly string[];
  /** `--bundle-only` */
  readonly bundleOnly: boolean;
  readonly runner: Runner;
  /** Updates the manifests, as `make manifests` does. */
  generate(): Promise<void>;
  /** Prints a line on stderr, unless `--quiet` is set. */
  note(line: string): void;
  /** Prints text on stderr. */
  print(text: string): void;
  /** Aborted if the command is interrupted. */
  readonly signal: AbortSignal;
}

/** A flag that sets a variable to true, or `--bundle-only`. */
export type TaskFlag = "ignore-not-found" | "force" | "bundle-only";

/** A command that implements a target of the Makefile. */
export interface Task {
  readonly description: string;
  /** The variables that it reads, for its help. */
  readonly variables: readonly VariableName[];
  readonly flags?: readonly TaskFlag[];
  /** The program whose flags are accepted after `--`, if any. */
  readonly flagsFor?: string;
  /** @throws TaskError if it fails */
  run(context: TaskContext): Promise<void>;
}
