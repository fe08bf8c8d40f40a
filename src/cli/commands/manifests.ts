import type { CommandContext, CommandModule, CommandResult } from "../framework/command.ts";
import { withCliErrors } from "../framework/problems.ts";
import { loadProject } from "../models/project-work.ts";

/** `scaffold manifests`. */
export const command: CommandModule = {
  define(program) {
    program
      .description(
        "Generate the manifests with the options of scaffold generate in the Makefile, and update the Helm chart if the project has one.",
      )
      .option("--check", "write nothing; print a diff and exit with 1 if files are stale")
      .option("--prune", "remove CRDs of kinds that no longer exist")
      .option("--strict", "treat warnings as errors")
      .option("--keep-going", "write valid output despite errors, and exit with 1")
      .option("--against <ref-or-dir>", "with --check: report incompatible changes of CRDs");
  },
  run,
};

async function run(context: CommandContext): Promise<CommandResult> {
  const { cwd, env, globals, rawArgs, call } = context;
  const { helm } = await loadProject(context);
  const { chartCall, generateCall } = await import("../../tasks/manifests.ts");
  const generated = await call(await withCliErrors(async () => generateCall({ root: cwd, env }, rawArgs)));
  // With --json, stdout has the object of the first call.
  const code = generated !== 0 || !helm ? generated : await call(chartCall(rawArgs), { onStderr: globals.json });
  return { exitCode: code === 0 || code === 130 ? code : 1, silent: true };
}
