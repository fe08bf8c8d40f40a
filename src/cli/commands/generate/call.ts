import { type GeneratorConfig, parseOptions } from "../../../generate/options/index.ts";
import type { GenerateRequest } from "../../../generate/request.ts";
import type { CommandContext } from "../../command.ts";
import { cliVersion } from "../../version.ts";
import { projectOptions, readConfig } from "./config.ts";
import { type GenerateFlags, readFlags } from "./flags.ts";
import { levelsFor } from "./project.ts";

/** A call of `scaffold generate` once its words are understood: plain data, and all that the work depends on. */
export interface GenerateCall {
  readonly request: GenerateRequest;
  readonly flags: GenerateFlags;
  /** What was said of the words themselves, and is said again whenever they are. */
  readonly said: readonly Said[];
}

/** A line for the user, by the terminal's method that takes it. */
export interface Said {
  readonly how: "note" | "warn";
  readonly line: string;
}

/** Reads flags and options. Throws usage errors. */
export async function readCall(context: CommandContext): Promise<GenerateCall> {
  const said: Said[] = [];
  const terminal = {
    note: (line: string) => void said.push({ how: "note", line }),
    warn: (line: string) => void said.push({ how: "warn", line }),
  };
  const flags = readFlags(context.options);
  const config = await readConfig({ ...context, terminal });
  return { request: await requestFor(context.cwd, config, flags), flags, said };
}

/** What `make manifests` asks for in the project of a directory. */
export async function projectRequest(cwd: string): Promise<GenerateRequest> {
  const { config } = parseOptions(projectOptions);
  if (config === undefined) throw new Error("the project's own generator options don't parse");
  return requestFor(cwd, config, readFlags({ unknownMarkers: "error", reader: "auto" }));
}

/** The cache goes by its text: the same keys in the same order, whoever asks. */
async function requestFor(cwd: string, config: GeneratorConfig, flags: GenerateFlags): Promise<GenerateRequest> {
  const { prune, strict, keepGoing, unknownMarkers, reader } = flags;
  const levels = await levelsFor(cwd);
  const toolVersion = `kubewright-v${cliVersion()}`;
  return { cwd, config, prune, strict, keepGoing, unknownMarkers, levels, reader, toolVersion };
}
