import { arch, platform } from "node:process";
import type { CommandModule } from "../framework/command.ts";
import { cliVersion, versionText } from "../framework/version.ts";

/** The version of the scaffolder and its platform. */
export interface VersionData {
  readonly version: string;
  /** The version of Node.js. */
  readonly node?: string;
  readonly platform?: string;
  readonly arch?: string;
}

/** `scaffold version`. */
export const command: CommandModule = {
  define(program) {
    program.description("Print the version of the scaffolder, Node.js version, operating system and architecture.");
  },
  async run() {
    const data: VersionData = { version: cliVersion(), node: process.versions.node, platform, arch };
    return { exitCode: 0, output: versionText(), data: { ...data } };
  },
};
