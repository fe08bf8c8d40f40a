import { withResource } from "../../project/change-project.ts";
import { entryOf } from "../../project/entries.ts";
import { conversionFile, webhookFile } from "../../project/paths.ts";
import type { Project } from "../../project/project-file.ts";
import type { Resource } from "../../project/resource.ts";
import { externalProblem, targetOf } from "../../project/target.ts";
import { noTypeProblem, webhookInputProblem, webhookStateProblem } from "../../project/webhook-rules.ts";
import { mergedWebhooks, recordedWebhooks, typesOf, type Webhooks, webhooksOf } from "../../project/webhooks.ts";
import { listed } from "../../text/list.ts";
import type { CommandContext, CommandModule, CommandResult } from "../framework/command.ts";
import { isOn, switchValue, textFlag } from "../framework/flags.ts";
import { accepted, refuse } from "../framework/problems.ts";
import { askYesNo } from "../framework/prompts.ts";
import { coreKindTable } from "../models/core-kinds.ts";
import { fetchPackage, withPackageVersion } from "../models/external-package.ts";
import { askKind, externalApi } from "../models/kind-flags.ts";
import { loadProject, planAndApply } from "../models/project-work.ts";
import { askCertificates, openWithCertificates } from "../models/webhook-certificates.ts";

/** `scaffold create webhook`. */
export const command: CommandModule = {
  define(program) {
    program
      .description(
        "Add webhooks to a kind, which default, validate or convert its objects before the API server stores them.",
      )
      .option("--group <name>", "API group, without the domain; core, apps, … for built-in kinds")
      .option("--version <version>", "API version, such as v1; with --conversion, the storage version")
      .option("--kind <Kind>", "kind, such as Game")
      .option("--plural <name>", "resource name, if it isn't the regular plural of the kind")
      .option("--defaulting [bool]", "create a webhook that sets default values", switchValue("--defaulting"))
      .option(
        "--programmatic-validation [bool]",
        "create a webhook that validates objects",
        switchValue("--programmatic-validation"),
      )
      .option("--conversion [bool]", "create a webhook that converts between versions", switchValue("--conversion"))
      .option("--spoke <versions...>", "comma-separated list of versions to convert to and from this one", spokeList)
      .option("--defaulting-path <path>", "path of the defaulting webhook, in place of the regular one")
      .option("--validation-path <path>", "path of the validating webhook, in place of the regular one")
      .option("--force [bool]", "overwrite existing files", switchValue("--force"))
      .option("--external-api-path <module>", "module that exports the types of an external kind")
      .option("--external-api-module <package>", "npm package that contains the module: name or name@version")
      .option("--external-api-domain <name>", "API group domain of an external kind")
      .option(
        "--namespaced [bool]",
        "objects of an external kind are namespaced (default: true)",
        switchValue("--namespaced"),
      );
  },
  ignoredFlags: ["--make"],
  removedFlags: { "--legacy": "leave it out: the code of webhooks is in src/webhook" },
  completions: { flags: { spoke: { choices: "versions", list: true } } },
  run,
};

/** Collects the values of a repeated flag: `--spoke v1,v2 --spoke v3` returns all three. */
function spokeList(value: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), ...value.split(",").map((version) => version.trim())];
}

async function run(context: CommandContext): Promise<CommandResult> {
  const { options, terminal } = context;
  if (options.make !== undefined) terminal.onSuccess("note", "--make has no effect: no code needs to be generated");
  const given = givenWebhooks(options);
  const flags = externalApi(options);
  const project = await loadProject(context);
  refuse([webhookInputProblem(textFlag(options, "version"), given), externalProblem(flags)]);
  const names = await askKind(context, project, "create webhook");
  const wanted = await askTypes(context, given);
  refuse([webhookInputProblem(names.version, wanted), noTypeProblem(wanted)]);
  const certificates = await askCertificates(context, project);
  const external = await withPackageVersion(context, flags);
  const coreKinds = await coreKindTable();
  const find = (current: Project) => accepted(targetOf(current, names, external, coreKinds));
  const target = find(project);
  const force = options.force === true;
  refuse([webhookStateProblem(project, target, wanted, force)]);
  if (target.origin === "core") {
    terminal.onSuccess(
      "warn",
      `webhooks for ${target.plural}, a built-in kind, can keep the cluster and this operator's own Pods from starting: exclude its namespace with a namespaceSelector`,
    );
  }
  const result = await planAndApply(
    context,
    async (format) => {
      // Read again under the lock: another run may have added something in the meantime.
      const { project: current, tree, templates, year } = await openWithCertificates(context, certificates, format);
      const resource = find(current);
      refuse([webhookStateProblem(current, resource, wanted, force)]);
      const present = webhooksOf(entryOf(current, resource));
      const all = mergedWebhooks(present, wanted);
      const { planCreateWebhook } = await import("../../scaffold/commands/create-webhook.ts");
      const plan = await planCreateWebhook(tree, templates, {
        project: current,
        resource,
        wanted,
        force,
        year,
        projectText: withResource(current, resource, {
          webhooks: recordedWebhooks(all),
          ...(external.package === undefined ? {} : { package: external.package }),
        }),
        ...(external.package === undefined ? {} : { package: external.package }),
      });
      tree.apply(plan);
      return { ...tree.plan(), overwritten: plan.overwritten };
    },
    () => nextSteps(target, project, wanted),
  );
  await fetchPackage(context, external);
  return result;
}

function givenWebhooks(options: CommandContext["options"]): Webhooks {
  const defaultingPath = textFlag(options, "defaultingPath");
  const validationPath = textFlag(options, "validationPath");
  return {
    defaulting: isOn(options, "defaulting"),
    validation: isOn(options, "programmaticValidation"),
    conversion: isOn(options, "conversion"),
    spokes: (options.spoke as readonly string[] | undefined) ?? [],
    ...(defaultingPath === undefined ? {} : { defaultingPath }),
    ...(validationPath === undefined ? {} : { validationPath }),
  };
}

/** Asks for the types if no flag names one and the terminal is interactive. */
async function askTypes({ options, terminal, signal }: CommandContext, given: Webhooks): Promise<Webhooks> {
  if (typesOf(given).length > 0 || !terminal.interactive) return given;
  const ask = async (flag: string, question: string) =>
    options[flag] === undefined && (await askYesNo(terminal, signal, question));
  return {
    ...given,
    defaulting: await ask("defaulting", "Create Defaulting Webhook"),
    validation: await ask("programmaticValidation", "Create Validating Webhook"),
    conversion: await ask("conversion", "Create Conversion Webhook"),
  };
}

function nextSteps(target: Resource, project: Project, wanted: Webhooks): string {
  const words = { defaulting: "defaulting", validation: "validating", conversion: "conversion" };
  const what = typesOf(wanted).map((type) => words[type]);
  // The hub's file only lists its spokes, so it needs editing only while there are none.
  const converting = wanted.spokes.length > 0 ? wanted.spokes : [target.version];
  const files = [
    ...(wanted.defaulting || wanted.validation ? [webhookFile(target, project)] : []),
    ...(wanted.conversion ? converting.map((version) => conversionFile({ ...target, version }, project)) : []),
  ];
  return `Created the ${listed(what)} webhook${what.length > 1 ? "s" : ""} for ${target.kind}. Next: edit ${files.join(" and ")}, then run make manifests (or npm run manifests)`;
}
