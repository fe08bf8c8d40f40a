import { completionScript, shells } from "../completion/scripts.ts";
import type { CommandContext, CommandModule, CommandResult } from "../framework/command.ts";
import { usageError } from "../framework/errors.ts";
import { oneOf } from "../framework/flags.ts";

/** A shell completion script. */
export interface CompletionData {
  readonly shell: string;
  readonly script: string;
}

/** `scaffold completion`. */
export const command: CommandModule = {
  define(program) {
    program
      .description(
        "Print a script with which your shell completes commands, flags and the names of the project's kinds.\n\n" +
          "  bash        source <(npx scaffold completion bash)\n" +
          "  zsh         source <(npx scaffold completion zsh)\n" +
          "  fish        npx scaffold completion fish | source\n" +
          "  powershell  npx scaffold completion powershell | Out-String | Invoke-Expression",
      )
      .addArgument(
        program
          .createArgument("[shell]", "shell to generate the script for")
          .choices([...shells])
          .argParser(String),
      );
  },
  run,
};

async function run({ args }: CommandContext): Promise<CommandResult> {
  const [given] = args;
  const valid = `valid shells: ${shells.join(", ")}`;
  const example = "for example: npx scaffold completion bash";
  if (given === undefined) throw usageError(`scaffold completion requires a shell; ${valid}`, example);
  const shell = oneOf("shell", given, shells, example);
  const script = completionScript(shell);
  return { exitCode: 0, output: script, data: { shell, script } satisfies CompletionData };
}
