import { withOptions } from "../../project/change-project.ts";
import { ownerProblem, shown } from "../../project/names.ts";
import { modelOf, type Project } from "../../project/project-file.ts";
import { type WebhookCertificates, webhookCertificates, webhookCertsProblem } from "../../project/webhook-certs.ts";
import { licenses } from "../../scaffold/boilerplate.ts";
import type { Option } from "../../scaffold/kustomize/options.ts";
import type { UpgradePlan } from "../../scaffold/upgrade.ts";
import { orCheckOnly } from "../check-only.ts";
import type { CommandContext, CommandModule, CommandResult } from "../command.ts";
import { usageError, workError } from "../errors.ts";
import { switchValue, textFlag } from "../flags.ts";
import { changedLicenseText, licenseText } from "../license.ts";
import { conflictsOf } from "../merge-report.ts";
import { refuse } from "../problems.ts";
import { planAndApply } from "../project-work.ts";
import { loadForReplay } from "../replayed-project.ts";

const optionList = [
  "webhook",
  "cert-manager",
  "prometheus",
  "metrics-certs",
  "network-policy",
] as const satisfies readonly Option[];
const optionNames = optionList.join(", ");

/** `scaffold edit`. */
export const command: CommandModule = {
  define(program) {
    program
      .description("Gives the project other options: files move, imports and manifests follow, your changes stay.")
      .option("--multigroup [bool]", "make room for several API groups", switchValue("--multigroup"))
      .option(
        "--namespaced [bool]",
        "watch named namespaces only, with Roles instead of ClusterRoles",
        switchValue("--namespaced"),
      )
      .option("--license <name>", "head of each file: apache2, copyright or none")
      .option("--license-file <path>", "head of each file, from a file with one /* … */ comment")
      .option("--owner <name>", "who holds the copyright")
      .option("--enable <options>", `switch on in config/default: ${optionNames}`)
      .option("--disable <options>", "switch off in config/default")
      .option("--force [bool]", "accepted for habit's sake: nothing of yours is overwritten", switchValue("--force"))
      .option(
        "--webhook-certs <how>",
        "where webhooks get their certificate: self (the manager makes it), cert-manager or files",
      )
      .option(
        "--helm [bool]",
        "a Helm chart in chart/, rendered from config/; again to bring it up to date",
        switchValue("--helm"),
      )
      .option(
        "--check",
        "write nothing; exit 1 when there is something to edit, such as a chart that is not up to date",
      );
  },
  completions: {
    flags: {
      enable: { choices: optionList, list: true },
      disable: { choices: optionList, list: true },
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
  const { options, terminal } = context;
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
      "nothing to edit: --multigroup, --namespaced, --webhook-certs, --helm, --license, --owner, --license-file, --enable or --disable is needed",
      "for example: scaffold edit --multigroup",
    );
  }
  if (relicense) await checkLicense(context, owner);
  let plan: UpgradePlan | undefined;
  const done = await planAndApply(
    context,
    async () => {
      plan = await makePlan(context, wanted, relicense ? { owner } : undefined);
      return plan;
    },
    (made) =>
      made.operations.length === 0
        ? wanted.helm === true
          ? "chart/ is up to date."
          : "The project has these options already."
        : "The project is edited. Next: make manifests (or npm run manifests), and look at git diff",
  );
  return plan === undefined ? done : conflictsOf(plan, done, { terminal, dryRun: context.globals.dryRun });
}

/** A wrong name of a licence is a wrong call, wherever it is given. */
async function checkLicense(context: CommandContext, owner: string | undefined): Promise<void> {
  const { license, licenseFile } = context.options;
  if (license !== undefined || licenseFile !== undefined) await licenseText(context, owner);
}

interface Wanted {
  readonly multigroup?: boolean;
  readonly namespaced?: boolean;
  readonly webhookCerts?: WebhookCertificates;
  readonly helm?: boolean;
  readonly enable: readonly Option[];
  readonly disable: readonly Option[];
}

function readWanted(options: CommandContext["options"]): Wanted {
  const [enable, disable] = [optionsOf(options, "enable"), optionsOf(options, "disable")];
  const both = enable.find((option) => disable.includes(option));
  if (both !== undefined) throw usageError(`${both} is both in --enable and in --disable`);
  const on = (flag: string) => (options[flag] === undefined ? undefined : options[flag] !== false);
  // What it is has still to be checked.
  const webhookCerts = textFlag(options, "webhookCerts") as WebhookCertificates | undefined;
  return {
    multigroup: on("multigroup"),
    namespaced: on("namespaced"),
    webhookCerts,
    helm: on("helm"),
    enable,
    disable,
  };
}

function optionsOf(options: CommandContext["options"], flag: "enable" | "disable"): Option[] {
  const text = textFlag(options, flag);
  return (text?.split(",") ?? []).map((name) => {
    const known = optionList.find((option) => option === name.trim());
    if (known === undefined) throw usageError(`--${flag} ${shown(name)} is not known: ${optionNames} are`);
    return known;
  });
}

async function makePlan(
  context: CommandContext,
  wanted: Wanted,
  license: { readonly owner?: string } | undefined,
): Promise<UpgradePlan> {
  const { project: before, tree, templates, ...rest } = await loadForReplay(context);
  const { boilerplatePath } = await import("../../scaffold/boilerplate.ts");
  const head = tree.readText(boilerplatePath) ?? "";
  const boilerplate = license === undefined ? undefined : await changedLicenseText(context, license.owner, head);
  refuseSeveralGroups(before, wanted);
  const { planEdit } = await import("../../scaffold/edit/edit.ts");
  const { multigroup, namespaced, webhookCerts, helm, ...switches } = wanted;
  const after = withOptions(before, {
    ...(multigroup === undefined ? {} : { multigroup }),
    ...(namespaced === undefined ? {} : { namespaced }),
    ...(webhookCerts === undefined ? {} : { webhookCerts }),
    ...(helm === undefined ? {} : { helm }),
  });
  const plan = await planEdit(tree, templates, { ...rest, before, after, switches, boilerplate });
  if (!before.helm && !after.helm) return plan;
  const { chartFollows } = await import("../chart.ts");
  return chartFollows(context, plan, { before, after, tree, templates });
}

/** Without directories for groups there is room for one, beside foreign ones that have a directory anyway. */
function refuseSeveralGroups(project: Project, { multigroup }: Wanted): void {
  if (multigroup !== false || !project.multigroup) return;
  const own = project.resources.map(modelOf).filter(({ origin, apart }) => origin === "own" && apart !== true);
  const groups = [...new Set(own.map(({ group }) => group))];
  if (groups.length <= 1) return;
  throw workError(
    "several-groups",
    `--multigroup=false can't be had: the project has the groups ${groups.join(", ")}, and there is room for one then`,
    "npx scaffold delete api takes kinds away",
  );
}
