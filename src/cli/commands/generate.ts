import type { CommandModule } from "../framework/command.ts";
import { readCall } from "../generate-call/call.ts";
import { defineFlags } from "../generate-call/flags.ts";
import { noteFiles } from "../generate-call/stamp.ts";
import { execute } from "./generate/execute.ts";
import { answerHelp } from "./generate/help.ts";
import { optionWords } from "./generate/words.ts";

/** `scaffold generate`. Its parts are in `generate/`. */
export const command: CommandModule = {
  define(program) {
    program
      .description(
        "Generate CRDs, roles, webhook configurations and JSON Schemas from types and markers. The options are those of controller-gen, such as crd or paths=./...",
      )
      .argument("[option...]", "generators, paths and output rules");
    defineFlags(program);
  },
  ownHelp: true,
  completions: { words: optionWords },
  async run(context) {
    const help = await answerHelp(context);
    if (help) return help;
    const noted = noteFiles();
    const call = await readCall(context);
    if (call.flags.watch) {
      const { watchCall } = await import("./generate/watch.ts");
      return watchCall(call, () => readCall(context), context);
    }
    if (call.flags.fix) {
      const { fixAndExecute } = await import("./generate/fix.ts");
      return fixAndExecute(call, context);
    }
    return execute(call, context, noted);
  },
};
