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
  const { cwd, env, rawArgs, call } = context;
  const { helm } = await loadProject(context);
  const { chartCall, generateCall } = await import("../../tasks/manifests.ts");
  const argv = await withCliErrors(async () => generateCall({ root: cwd, env }, rawArgs));
  if (context.globals.json) return merged(argv, helm ? chartCall(rawArgs) : undefined, context);
  const generated = await call(argv);
  const code = generated !== 0 || !helm ? generated : await call(chartCall(rawArgs));
  return { exitCode: exitCodeOf(code), silent: true };
}

/** Runs the generator, then the update of the chart, and merges their objects to one. */
async function merged(
  argv: readonly string[],
  chart: readonly string[] | undefined,
  { callForJson }: CommandContext,
): Promise<CommandResult> {
  const generated = await callForJson(argv.filter((word) => word !== "--json"));
  const { text, ...json } = generated.json;
  // The text is there for scaffold mcp.
  const first = { exitCode: exitCodeOf(generated.code), ...json, ...(text === undefined ? {} : { output: text }) };
  if (generated.code !== 0 || chart === undefined) return first;
  const { code, json: updated } = await callForJson(chart);
  const changed = updated.operations ?? [];
  return {
    ...first,
    exitCode: exitCodeOf(code),
    diagnostics: [...(first.diagnostics ?? []), ...(updated.diagnostics ?? [])],
    files: [...(first.files ?? []), ...changed.map(({ op, path }) => ({ path, action: op }))],
    ...(first.operations === undefined ? {} : { operations: [...first.operations, ...changed] }),
  };
}

function exitCodeOf(code: number): 0 | 1 | 130 {
  return code === 0 || code === 130 ? code : 1;
}
