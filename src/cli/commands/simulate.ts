import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Replay, ReplayChange, ReplayFinding } from "@kubewright/dashboard/protocol";
import type { FaultName, UpgradeVariation } from "@kubewright/runtime/simulation";
import { didYouMean } from "../../diagnostics/did-you-mean.ts";
import type { SimulationOutcome } from "../../tasks/simulate.ts";
import { shown } from "../../text/shown.ts";
import type { CommandContext, CommandModule, CommandResult } from "../framework/command.ts";
import { durationFlag } from "../framework/duration-flag.ts";
import { CliError, interrupted, usageError, workError } from "../framework/errors.ts";
import { flagOf, textFlag } from "../framework/flags.ts";
import { withCliErrors } from "../framework/problems.ts";
import { notAProject } from "../models/project-work.ts";

/** The faults of the runtime. A missing or additional one doesn't compile. */
const faults: Readonly<Record<FaultName, true>> = {
  ...{ stale: true, crash: true, replicas: true, conflict: true, lost: true, errors: true, watch: true },
  ...{ recreate: true, time: true, hands: true, children: true, gc: true, rescale: true, skew: true },
};
const faultNames = Object.keys(faults);

/** The variations of upgrades of the runtime. A missing or additional one doesn't compile. */
const variations: Readonly<Record<UpgradeVariation, true>> = {
  ...{ replace: true, overlap: true, busy: true, interrupt: true, rollback: true, skip: true },
  ...{ "crds-first": true, "crds-last": true, "crds-back": true, "crds-kept": true },
};
const variationNames = Object.keys(variations);

/** The result of the simulations. */
export type SimulationData = Omit<Replay, "source">;

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
      .option("--faults <names>", `only these faults, separated by commas: ${faultNames.join(", ")}`)
      .option("--from <versions>", "upgrade from these revisions or directories of projects, oldest first")
      .option("--from-crds <paths>", "the file or directory with the CRDs of each old version")
      .option("--from-install", "install the packages of the old lock files, without their scripts")
      .option("--program", "run src/main.ts of both versions instead of the operators of the simulations")
      .option("--upgrades <names>", `only these variations of upgrades: ${variationNames.join(", ")}`);
  },
  run,
  completions: {
    flags: { faults: { choices: faultNames, list: true }, upgrades: { choices: variationNames, list: true } },
  },
};

async function run(context: CommandContext): Promise<CommandResult> {
  const { cwd, env, signal, globals, options } = context;
  const [seeds, seed] = [numberFlag(options, "seeds", 1), numberFlag(options, "seed", 0)];
  const time = durationFlag(options, "for", "60s or 10m");
  const faults = namesFlag(options, "faults", faultNames);
  const upgrades = namesFlag(options, "upgrades", variationNames);
  const [from, fromCrds] = [listFlag(options, "from"), listFlag(options, "fromCrds")];
  const [fromInstall, program] = [options.fromInstall === true, options.program === true];
  for (const name of ["fromCrds", "fromInstall", "program"]) {
    if (options[name] !== undefined && !from) throw usageError(`${flagOf(name)} requires --from`);
  }
  if (time !== undefined && seeds !== undefined) throw usageError("--for and --seeds exclude each other");
  if (seed !== undefined && (time !== undefined || seeds !== undefined)) {
    throw usageError("--seed runs one schedule, so it excludes --seeds and --for");
  }
  if (existsSync(join(cwd, "PROJECT"))) {
    const failed = (await context.call(["manifests", "--quiet"], { onStderr: true })) !== 0;
    if (failed) throw workError("program-failed", "the manifests can't be generated, so nothing was simulated");
  } else if (!existsSync(join(cwd, "package.json"))) throw notAProject(cwd);
  const { SimulationUsageError, simulateProject } = await import("../../tasks/simulate.ts");
  const manifests = from ? await manifestBuilder() : () => undefined;
  const progress = !globals.quiet && !globals.json;
  const simulated = withCliErrors(() =>
    simulateProject({
      ...{ root: cwd, env, signal, progress, seeds, time, seed, faults },
      ...{ from, fromCrds, fromInstall, program, upgrades, manifests },
    }),
  );
  const outcome = await simulated.catch((error: unknown) => {
    if (error instanceof SimulationUsageError) throw usageError(error.message, error.hint);
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
  const result: SimulationData = data;
  return { exitCode, data: { ...result }, output: report(outcome) };
}

/** Returns a function that builds the manifests of a version. */
async function manifestBuilder(): Promise<(directory: string) => readonly object[] | undefined> {
  const { buildKustomization, openSources } = await import("../../scaffold/kustomize/build/build.ts");
  return (directory) => {
    const read = (path: string): string | undefined =>
      existsSync(join(directory, path)) ? readFileSync(join(directory, path), "utf8") : undefined;
    if (read("config/default/kustomization.yaml") === undefined) return undefined;
    return buildKustomization(openSources(read), "config/default").map(({ object }) => object);
  };
}

function numberFlag(options: CommandContext["options"], name: string, least: number): number | undefined {
  const text = textFlag(options, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value;
  throw usageError(`--${name} ${shown(text)}: must be an integer of at least ${least}`);
}

/** Returns the values of a flag that are separated by commas. */
function listFlag(options: CommandContext["options"], name: string): string[] | undefined {
  const text = textFlag(options, name);
  if (text === undefined) return undefined;
  const values = text.split(",");
  if (values.includes("")) throw usageError(`${flagOf(name)} ${shown(text)}: must be a list separated by commas`);
  return values;
}

function namesFlag(
  options: CommandContext["options"],
  flag: string,
  possible: readonly string[],
): string[] | undefined {
  const names = textFlag(options, flag)?.split(",");
  for (const name of names ?? []) {
    if (possible.includes(name)) continue;
    const suggestion = didYouMean(name, possible);
    throw usageError(
      `--${flag} ${name}: must be one of ${possible.join(", ")}`,
      suggestion === undefined ? undefined : `did you mean "${suggestion}"?`,
    );
  }
  return names;
}

function report(outcome: SimulationOutcome): string {
  const { schedules, seconds, faults, findings, timelines, messages, notes, upgrades, changes } = outcome;
  const counts = (record: Readonly<Record<string, number>>): string =>
    Object.entries(record)
      .filter(([, count]) => count > 0)
      .map(([name, count]) => `${name} ${count}`)
      .join(", ") || "none";
  return [
    ...(changes ? describeChanges(changes) : []),
    ...findings.flatMap((finding, index) => [
      describe(finding, messages?.[index] ?? [finding.message], timelines[index] ?? []),
      "",
    ]),
    `schedules  ${schedules} in ${seconds.toFixed(1)} s`,
    ...(upgrades ? [`upgrades   ${counts(upgrades)}`] : []),
    `faults     ${counts(faults)}`,
    `findings   ${findings.length}`,
    ...notes.map((note) => `note       ${note}`),
  ].join("\n");
}

/** Describes the changes of the upgrades without faults. Those of several tests are described once. */
function describeChanges(changes: readonly ReplayChange[]): string[] {
  if (changes.length === 0) return ["This upgrade changes: nothing", ""];
  const value = (one: unknown): string => (one === null ? "none" : shortened(JSON.stringify(one)));
  const lines = changes.map(({ from, kind, namespace, name, action, path, before, after, allowed }) => {
    const object = `${kind} ${namespace === "" ? name : `${namespace}/${name}`}`;
    const what = action === "changed" ? `${path}: ${value(before)} → ${value(after)}` : action;
    return `  from ${from}: ${object} ${what}${allowed === null ? "" : ` (allowed: ${allowed})`}`;
  });
  return ["This upgrade changes:", ...new Set(lines), ""];
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function describe(
  { file, test, invariant, seed, faults, replay, upgrade }: ReplayFinding,
  message: readonly string[],
  timeline: readonly string[],
): string {
  return [
    `${file}: ${test}`,
    `  broken: ${invariant}`,
    ...message.map((line) => `  ${line}`),
    ...(upgrade ? [`  upgrade: ${describeUpgrade(upgrade)}`] : []),
    `  faults: ${faults.length > 0 ? faults.join(", ") : "none"}`,
    "",
    ...timeline,
    "",
    `  replay: ${replay ?? `npx scaffold simulate --seed ${seed}`}`,
  ].join("\n");
}

function describeUpgrade({ from, variations, point }: NonNullable<ReplayFinding["upgrade"]>): string {
  const how = variations.length > 0 ? `: ${variations.join(", ")}` : "";
  return `from ${from.join(", then ")} at world.settled() number ${point}${how}`;
}
