import { shown } from "../../project/names.ts";
import type { CommandContext, CommandModule, CommandResult } from "../command.ts";
import { completionScript, type Shell, shells } from "../completion/scripts.ts";
import { usageError } from "../errors.ts";

/** `scaffold completion`. */
export const command: CommandModule = {
  define(program) {
    program
      .description(
        "Prints a script that teaches your shell to complete commands, flags and the names of the project's kinds.\n\n" +
          "  bash        source <(npx scaffold completion bash)\n" +
          "  zsh         source <(npx scaffold completion zsh)\n" +
          "  fish        npx scaffold completion fish | source\n" +
          "  powershell  npx scaffold completion powershell | Out-String | Invoke-Expression",
      )
      .addArgument(
        program
          .createArgument("[shell]", "whose language the script is in")
          .choices([...shells])
          .argParser(String),
      );
  },
  run,
};

async function run({ args }: CommandContext): Promise<CommandResult> {
  const [shell] = args;
  const wanted = `scaffold completion takes the name of a shell: ${shells.join(", ")}`;
  if (shell === undefined) throw usageError(wanted, "for example: npx scaffold completion bash");
  if (!isShell(shell)) throw usageError(`${wanted}, not ${shown(shell)}`, "for example: npx scaffold completion bash");
  const script = completionScript(shell);
  return { exitCode: 0, output: script, data: { shell, script } };
}

function isShell(name: string): name is Shell {
  return (shells as readonly string[]).includes(name);
}
