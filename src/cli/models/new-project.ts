import { basename } from "node:path";
import { domainProblem, projectNameProblem } from "../../project/names.ts";
import type { CommandContext } from "../framework/command.ts";
import { usageError } from "../framework/errors.ts";
import { nodeIsTooOld, oldestNode } from "../framework/node-version.ts";
import { askText } from "../framework/prompts.ts";
import type { Terminal } from "../framework/terminal.ts";

/** The domain of a project whose author chose none, as in kubebuilder. */
export const defaultDomain = "my.domain";

/**
 * Returns the default project name: the directory name in lowercase, as in kubebuilder.
 *
 * @throws CliError if it can't be a project name
 */
export function nameOfDirectory(directory: string, hint = "set the name with --project-name"): string {
  const name = basename(directory).toLowerCase();
  const problem = projectNameProblem(name);
  if (problem === undefined) return name;
  throw usageError(
    `the directory name can't be the project name: ${problem.message.replace("--project-name ", "")}`,
    hint,
  );
}

/** Asks for the domain of the API groups. Without a terminal, it is {@link defaultDomain}. */
export async function askDomain({ terminal, signal }: CommandContext): Promise<string> {
  if (!terminal.interactive) return defaultDomain;
  return askText(terminal, signal, {
    message: "Domain of the API groups",
    default: defaultDomain,
    check: domainProblem,
  });
}

/** @throws CliError if this version of Node can't run a project */
export function checkNode(): void {
  if (!nodeIsTooOld()) return;
  throw usageError(
    `Node ${process.versions.node} is too old: kubewright requires ${oldestNode} or newer`,
    "upgrade Node, or continue with --skip-node-version-check",
  );
}

/** Warns if tests can't run in a directory because of its path. */
export function warnOfPath(terminal: Terminal, directory: string): void {
  const special = /#|%[0-9a-f]{2}/i.exec(directory)?.[0];
  if (special === undefined) return;
  terminal.warn(
    `the path of the directory contains ${special}, with which Vite, and so npm test, can't find files: rename it`,
  );
}
