import type { GeneratorConfig } from "../../generate/options/index.ts";
import type { GenerateRequest } from "../../generate/run/request.ts";
import type { CommandContext } from "../framework/command.ts";
import { cliVersion } from "../framework/version.ts";
import { readConfig } from "./config.ts";
import { type GenerateFlags, readFlags } from "./flags.ts";
import { settingsFor } from "./project.ts";

/** A parsed call of `scaffold generate`: plain data, and everything that its work depends on. */
export interface GenerateCall {
  readonly request: GenerateRequest;
  readonly flags: GenerateFlags;
  /** Messages about the arguments themselves. */
  readonly messages: readonly CallMessage[];
}

/** A line for the user, and the method of the terminal that prints it. */
export interface CallMessage {
  readonly how: "note" | "warn";
  readonly line: string;
}

/**
 * Parses flags and options.
 *
 * @throws CliError for a wrong call
 */
export async function readCall(context: CommandContext): Promise<GenerateCall> {
  const messages: CallMessage[] = [];
  const terminal = {
    note: (line: string) => void messages.push({ how: "note", line }),
    warn: (line: string) => void messages.push({ how: "warn", line }),
  };
  const flags = readFlags(context.options);
  const config = await readConfig({ ...context, terminal });
  return { request: await requestFor(context.cwd, config, flags), flags, messages };
}

/** Returns the request of `make manifests` for the project in a directory. */
export async function projectRequest(cwd: string): Promise<GenerateRequest> {
  const terminal = { note: () => undefined, warn: () => undefined };
  const config = await readConfig({ args: [], cwd, env: {}, globals: { json: false }, terminal });
  return requestFor(cwd, config, readFlags({ unknownMarkers: "error" }));
}

/** Creates a request. Its JSON text is part of the cache key, so the order of its properties must not vary. */
async function requestFor(cwd: string, config: GeneratorConfig, flags: GenerateFlags): Promise<GenerateRequest> {
  const { prune, strict, keepGoing, unknownMarkers } = flags;
  const { levels, kstatus } = await settingsFor(cwd);
  const toolVersion = `kubewright-v${cliVersion()}`;
  return { cwd, config, prune, strict, keepGoing, unknownMarkers, levels, kstatus, toolVersion };
}
