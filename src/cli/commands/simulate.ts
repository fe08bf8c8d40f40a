import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ReplayFinding } from "@kubewright/dashboard/protocol";
import type { FaultName } from "@kubewright/runtime/simulation";
import { didYouMean } from "../../diagnostics/did-you-mean.ts";
import type { SimulationOutcome } from "../../tasks/simulate.ts";
import { shown } from "../../text/shown.ts";
import type { CommandContext, CommandModule, CommandResult } from "../framework/command.ts";
import { CliError, interrupted, usageError, workError } from "../framework/errors.ts";
import { textFlag } from "../framework/flags.ts";
import { withCliErrors } from "../framework/problems.ts";
import { notAProject } from "../models/project-work.ts";

/** The faults of the runtime. A missing or additional one doesn't compile. */
const faults: Readonly<Record<FaultName, true>> = {
  ...{ stale: true, crash: true, replicas: true, conflict: true, lost: true, errors: true, watch: true },
  ...{ recreate: true, time: true, hands: true, children: true, gc: true },
};
const faultNames = Object.keys(faults);

/** `scaffold simulate`. */
export const command: CommandModule = {
  define(program) {
    program
      .description(
        "Run src/**/*.simulation.ts: the operator with a cluster in one process, under many schedules with faults. Each schedule has a number, the seed.",
      )
      .option("--seeds <number>", "schedules of each simulation (default: 200)")
      .option("--for <duration>", "run schedules for this time instead, such as 60s or 10m")
      .option("--seed <number>", "run only this schedule; 0 is the one without faults")
      .option("--faults <names>", `only these faults, separated by commas: ${faultNames.join(", ")}`);
  },
  run,
  completions: { flags: { faults: { choices: faultNames, list: true } } },
};

async function run(context: CommandContext): Promise<CommandResult> {
  const { cwd, env, signal, globals, options } = context;
  const [seeds, seed] = [numberFlag(options, "seeds", 1), numberFlag(options, "seed", 0)];
  const time = durationFlag(options);
  const faults = faultsFlag(options);
  if (time !== undefined && seeds !== undefined) throw usageError("--for and --seeds exclude each other");
  if (seed !== undefined && (time !== undefined || seeds !== undefined)) {
    throw usageError("--seed runs one schedule, so it excludes --seeds and --for");
  }
  if (existsSync(join(cwd, "PROJECT"))) {
    const failed = (await context.call(["manifests", "--quiet"], { onStderr: true })) !== 0;
    if (failed) throw workError("program-failed", "the manifests can't be generated, so nothing was simulated");
  } else if (!existsSync(join(cwd, "package.json"))) throw notAProject(cwd);
  const { simulateProject } = await import("../../tasks/simulate.ts");
  const progress = !globals.quiet && !globals.json;
  const simulated = withCliErrors(() =>
    simulateProject({ root: cwd, env, signal, progress, seeds, time, seed, faults }),
  );
  const outcome = await simulated.catch((error: unknown) => {
    throw signal.aborted ? interrupted() : error;
  });
  const { files, problems, timelines: _timelines, messages: _messages, notes: _notes, ...data } = outcome;
  const [problem] = problems;
  if (problem !== undefined) throw new CliError(2, "usage", `a simulation can't run: ${problem}`);
  if (files === 0) {
    throw usageError(
      "no simulation found: src/**/*.simulation.ts matches no file",
      "write src/controller/<kind>-controller.simulation.ts, as in the page Simulate an operator of the documentation",
    );
  }
  const exitCode = data.findings.length > 0 ? 1 : 0;
  return { exitCode, data: { ...data }, output: report(outcome) };
}

function numberFlag(options: CommandContext["options"], name: string, least: number): number | undefined {
  const text = textFlag(options, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value;
  throw usageError(`--${name} ${shown(text)}: must be an integer of at least ${least}`);
}

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

function durationFlag(options: CommandContext["options"]): number | undefined {
  const text = textFlag(options, "for");
  if (text === undefined) return undefined;
  const [, amount, unit] = /^(\d+)(ms|s|m|h)$/.exec(text) ?? [];
  const milliseconds = Number(amount) * units[(unit ?? "ms") as keyof typeof units];
  if (milliseconds > 0) return milliseconds;
  throw usageError(`--for ${shown(text)}: must be a duration, such as 60s or 10m`);
}

function faultsFlag(options: CommandContext["options"]): string[] | undefined {
  const names = textFlag(options, "faults")?.split(",");
  for (const name of names ?? []) {
    if (faultNames.includes(name)) continue;
    const suggestion = didYouMean(name, faultNames);
    throw usageError(
      `--faults ${name}: must be one of ${faultNames.join(", ")}`,
      suggestion === undefined ? undefined : `did you mean "${suggestion}"?`,
    );
  }
  return names;
}

function report({ schedules, seconds, faults, findings, timelines, messages, notes }: SimulationOutcome): string {
  const injected = Object.entries(faults).filter(([, count]) => count > 0);
  return [
    ...findings.flatMap((finding, index) => [
      describe(finding, messages?.[index] ?? [finding.message], timelines[index] ?? []),
      "",
    ]),
    `schedules  ${schedules} in ${seconds.toFixed(1)} s`,
    `faults     ${injected.map(([name, count]) => `${name} ${count}`).join(", ") || "none"}`,
    `findings   ${findings.length}`,
    ...notes.map((note) => `note       ${note}`),
  ].join("\n");
}

function describe(
  { file, test, invariant, seed, faults, replay }: ReplayFinding,
  message: readonly string[],
  timeline: readonly string[],
): string {
  return [
    `${file}: ${test}`,
    `  broken: ${invariant}`,
    ...message.map((line) => `  ${line}`),
    `  faults: ${faults.length > 0 ? faults.join(", ") : "none"}`,
    "",
    ...timeline,
    "",
    `  replay: ${replay ?? `npx scaffold simulate --seed ${seed}`}`,
  ].join("\n");
}
