// The workspaces of this repository.
// JavaScript with checked types, because scripts that install packages use it.
// @ts-check
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run.mjs";

/**
 * Returns the workspaces of package.json that contain TypeScript, with that of the command line first.
 *
 * @returns {string[]}
 */
export function typedWorkspaces() {
  /** @type {{ workspaces: string[] }} */
  const { workspaces } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return workspaces.filter((workspace) => existsSync(join(root, workspace, "tsconfig.json")));
}
