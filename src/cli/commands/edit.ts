import { withOptions } from "../../project/change-project.ts";
import { ownerProblem } from "../../project/names.ts";
import { modelOf, type Project } from "../../project/project-file.ts";
import { type WebhookCertificates, webhookCertificates, webhookCertsProblem } from "../../project/webhook-certs.ts";
import type { MergePlan } from "../../scaffold/commands/upgrade.ts";
import type { Tree } from "../../scaffold/files/tree.ts";
import type { Format } from "../../scaffold/format/format.ts";
import { licenses } from "../../scaffold/parts/boilerplate.ts";
import type { Option } from "../../scaffold/parts/config-options.ts";
import type { CommandContext, CommandModule, CommandResult } from "../framework/command.ts";
import { usageError, workError } from "../framework/errors.ts";
import { isOn, oneOf, switchValue, textFlag } from "../framework/flags.ts";
import { refuse } from "../framework/problems.ts";
import { orCheckOnly } from "../models/check-only.ts";
import { changedLicenseText, licenseText } from "../models/license.ts";
import { conflictsOf } from "../models/merge-report.ts";
import { planAndApply } from "../models/project-work.ts";
import { loadForReplay } from "../models/replayed-project.ts";
import { type SwitchedGenerator, switchedGenerators } from "./edit/switched-generators.ts";

const optionList = [
  "webhook",
  "cert-manager",
  "prometheus",
  "metrics-certs",
  "network-policy",
  "sharding",
] as const satisfies readonly Option[];

const allOptions = [...optionList, ...switchedGenerators] as const;

/** `scaffold edit`. */
export const command: CommandModule = {
  define(program) {
    program
      .description(
        "Change the settings of the project. Moves files, updates imports and manifests, and keeps your edits.",
      )
      .option(
        "--multigroup [bool]",
        "support several API groups, with a directory for each",
        switchValue("--multigroup"),
      )
      .option(
        "--namespaced [bool]",
        "watch only the given namespaces, with Roles instead of ClusterRoles",
        switchValue("--namespaced"),
      )
      .option("--license <name>", "license header for generated files: apache2, copyright or none")
      .option("--license-file <path>", "file with the license header, one /* … */ comment")
      .option("--owner <name>", "copyright holder in the license header")
      .option(
        "--enable <options>",
        `comma-separated list of options to enable in config/default: ${optionList.join(", ")}; or of generators to add to make manifests: ${switchedGenerators.join(", ")}`,
      )
      .option("--disable <options>", "comma-separated list of options or generators to disable")
      .option(
        "--webhook-certs <how>",
        "source of the webhook certificate: self (created by the manager), cert-manager or files",
      )
      .option(
        "--helm [bool]",
        "create or update the Helm chart in chart/, rendered from config/",
        switchValue("--helm"),
      )
      .option(
        "--crd-chart [bool]",
        "with --helm: create a separate chart with the CRDs in chart-crds/",
        switchValue("--crd-chart"),
      )
      .option(
        "--publish [bool]",
        "with --helm: create a workflow that pushes the charts to ghcr.io and signs them",
        switchValue("--publish"),
      )
      .option("--check", "write nothing; exit with 1 if something would change, such as an outdated chart");
  },
  ignoredFlags: ["--force"],
  completions: {
    flags: {
      enable: { choices: allOptions, list: true },
      disable: { choices: allOptions, list: true },
      license: { choices: licenses },
      "webhook-certs": { choices: webhookCertificates },
    },
  },
  run,
};

function run(context: CommandContext): Promise<CommandResult> {
  return orCheckOnly(context, edit);
}

async function edit(context: CommandContext): Promise<CommandResult> {
  const { options } = context;
  const wanted = readWanted(options);
  const owner = textFlag(options, "owner");
  refuse([
    owner === undefined ? undefined : ownerProblem(owner),
    wanted.webhookCerts === undefined ? undefined : webhookCertsProblem(wanted.webhookCerts),
  ]);
  const relicense = ["license", "licenseFile", "owner"].some((flag) => options[flag] !== undefined);
  if (
    !relicense &&
    Object.values(wanted).every((value) => value === undefined || (Array.isArray(value) && value.length === 0))
  ) {
    throw usageError(
      "nothing to edit: pass at least one of --multigroup, --namespaced, --webhook-certs, --helm, --crd-chart, --publish, --license, --owner, --license-file, --enable and --disable",
      "for example: npx scaffold edit --multigroup",
    );
  }
  if (relicense) await checkLicense(context, owner);
  let plan: MergePlan | undefined;
  const done = await planAndApply(
    context,
    async (format) => {
      plan = await makePlan(context, wanted, relicense ? { owner } : undefined, format);
      return plan;
    },
    (made) =>
      made.operations.length === 0
        ? wanted.helm === true
          ? "chart/ is up to date."
          : "The project already has these settings."
        : "Changed the project settings. Next: run make manifests (or npm run manifests), and review git diff",
  );
  return plan === undefined ? done : conflictsOf(plan, done, context);
}

/** Refuses an unknown license before anything is planned, so that the exit code is that of a wrong call. */
async function checkLicense(context: CommandContext, owner: string | undefined): Promise<void> {
  const { license, licenseFile } = context.options;
  if (license !== undefined || licenseFile !== undefined) await licenseText(context, owner);
}

interface Wanted {
  readonly multigroup?: boolean;
  readonly namespaced?: boolean;
  readonly webhookCerts?: WebhookCertificates;
  readonly helm?: boolean;
  readonly crdChart?: boolean;
  readonly publishesChart?: boolean;
  readonly enable: readonly Switched[];
  readonly disable: readonly Switched[];
}

/** A deployment option, or a generator. */
type Switched = (typeof allOptions)[number];

function isGenerator(name: Switched): name is SwitchedGenerator {
  return (switchedGenerators as readonly string[]).includes(name);
}

function isOption(name: Switched): name is Exclude<Switched, SwitchedGenerator> {
  return !isGenerator(name);
}

function readWanted(options: CommandContext["options"]): Wanted {
  const [enable, disable] = [optionsOf(options, "enable"), optionsOf(options, "disable")];
  const both = enable.find((option) => disable.includes(option));
  if (both !== undefined) throw usageError(`${both} can't be in both --enable and --disable`);
  const on = (flag: string) => (options[flag] === undefined ? undefined : isOn(options, flag));
  // The caller checks the value.
  const webhookCerts = textFlag(options, "webhookCerts") as WebhookCertificates | undefined;
  return {
    multigroup: on("multigroup"),
    namespaced: on("namespaced"),
    webhookCerts,
    helm: on("helm"),
    crdChart: on("crdChart"),
    publishesChart: on("publish"),
    enable,
    disable,
  };
}

function optionsOf(options: CommandContext["options"], flag: "enable" | "disable"): Switched[] {
  const text = textFlag(options, flag);
  return (text?.split(",") ?? []).map((name) => oneOf(`--${flag}`, name.trim(), allOptions));
}

async function makePlan(
  context: CommandContext,
  wanted: Wanted,
  license: { readonly owner?: string } | undefined,
  format: Format,
): Promise<MergePlan> {
  const { project: before, tree, templates, ...rest } = await loadForReplay(context);
  const { boilerplatePath } = await import("../../scaffold/parts/boilerplate.ts");
  const head = tree.readText(boilerplatePath) ?? "";
  const boilerplate = license === undefined ? undefined : await changedLicenseText(context, license.owner, head);
  refuseSeveralGroups(before, wanted);
  const { planEdit } = await import("../../scaffold/edit/edit.ts");
  refuseChartOptions(before, wanted);
  const { multigroup, namespaced, webhookCerts, helm, crdChart, publishesChart, enable, disable } = wanted;
  const switches = { enable: enable.filter(isOption), disable: disable.filter(isOption) };
  const after = withOptions(before, {
    ...(multigroup === undefined ? {} : { multigroup }),
    ...(namespaced === undefined ? {} : { namespaced }),
    ...(webhookCerts === undefined ? {} : { webhookCerts }),
    ...(helm === undefined ? {} : { helm }),
    ...(crdChart === undefined ? {} : { crdChart }),
    ...(publishesChart === undefined ? {} : { publishesChart }),
  });
  const edited = await planEdit(tree, templates, { ...rest, before, after, switches, boilerplate, format });
  const plan = await withGenerators(context, edited, tree, after, wanted);
  if (!before.helm && !after.helm) return plan;
  const { chartFollows } = await import("./edit/chart.ts");
  return chartFollows(context, plan, { before, after, tree, templates });
}

/** Adds the changes of generators to a plan. */
async function withGenerators(
  context: CommandContext,
  plan: MergePlan,
  tree: Tree,
  project: Project,
  { enable, disable }: Wanted,
): Promise<MergePlan> {
  const switches = { enable: enable.filter(isGenerator), disable: disable.filter(isGenerator) };
  if (switches.enable.length + switches.disable.length === 0) return plan;
  const { switchGenerators } = await import("./edit/generators.ts");
  return switchGenerators(context, plan, { tree, project, switches });
}

/** Refuses options of the chart for a project without one. */
function refuseChartOptions(before: Project, { helm = before.helm, crdChart, publishesChart }: Wanted): void {
  if (helm || (crdChart !== true && publishesChart !== true)) return;
  const flag = crdChart === true ? "--crd-chart" : "--publish";
  throw usageError(`${flag}: the project has no Helm chart`, `add --helm: npx scaffold edit --helm ${flag}`);
}

/** Refuses `--multigroup=false` for several groups: only foreign groups keep a directory in the single-group layout. */
function refuseSeveralGroups(project: Project, { multigroup }: Wanted): void {
  if (multigroup !== false || !project.multigroup) return;
  const own = project.resources.map(modelOf).filter(({ origin, apart }) => origin === "own" && apart !== true);
  const groups = [...new Set(own.map(({ group }) => group))];
  if (groups.length <= 1) return;
  throw workError(
    "several-groups",
    `--multigroup=false requires a single API group, but the project has: ${groups.map((group) => group || '""').join(", ")}`,
    "delete the kinds of the other groups with npx scaffold delete api",
  );
}
