import { withWebhooksLeft } from "../../project/change-project.ts";
import type { ProjectResource } from "../../project/project-file.ts";
import { completeModel } from "../../project/target.ts";
import { recordedIfAny, typesOf, type Webhooks, webhooksOf, webhookTypes } from "../../project/webhooks.ts";
import type { CommandContext, CommandModule, CommandResult } from "../command.ts";
import { coreKindTable } from "../core-kinds.ts";
import { workError } from "../errors.ts";
import { switchValue } from "../flags.ts";
import { askKind } from "../kind-flags.ts";
import { loadProject, planAndApply, templatesDirectory } from "../project-work.ts";
import { recordedKind } from "../recorded-kind.ts";

/** `scaffold delete webhook`. */
export const command: CommandModule = {
  define(program) {
    program
      .description("Takes back what create webhook made of a kind: the webhooks of the given types, or all of them.")
      .option("--group <name>", "API group, without the domain")
      .option("--version <version>", "API version, such as v1")
      .option("--kind <Kind>", "kind, such as Game")
      .option("--defaulting [bool]", "the defaulting webhook", switchValue("--defaulting"))
      .option("--programmatic-validation [bool]", "the validating webhook", switchValue("--programmatic-validation"))
      .option("--conversion [bool]", "the conversion webhook", switchValue("--conversion"));
  },
  run,
};

async function run(context: CommandContext): Promise<CommandResult> {
  const { cwd, options } = context;
  const { openTree } = await import("../../scaffold/tree.ts");
  const project = await loadProject(context);
  const names = await askKind(context, project, "delete webhook");
  chosen(recordedKind(project, names), options);
  return planAndApply(
    context,
    async () => {
      // Read again under the lock: another run may have changed it in the meantime.
      const current = await loadProject(context);
      const entry = recordedKind(current, names);
      const { gone, rest } = chosen(entry, options);
      const { planDeleteWebhook } = await import("../../scaffold/delete-webhook.ts");
      const { openTemplates } = await import("../../scaffold/templates.ts");
      const resource = completeModel(entry, await coreKindTable());
      return planDeleteWebhook(openTree(cwd), await openTemplates(templatesDirectory()), {
        project: current,
        resource,
        wanted: gone,
        rest,
        year: new Date().getFullYear(),
        projectText: withWebhooksLeft(current, resource, recordedIfAny(rest)),
      });
    },
    () =>
      `${whatIsGone(recordedKind(project, names), options)} gone. Next: make manifests (or npm run manifests), so that the configurations follow`,
  );
}

/** All webhooks of a kind, or those of them that were named where others stay. */
function whatIsGone(entry: ProjectResource, options: CommandContext["options"]): string {
  const { gone, rest } = chosen(entry, options);
  const types = typesOf(gone).map((type) => (type === "validation" ? "validating" : type));
  if (typesOf(rest).length === 0) return `The webhooks of ${entry.kind} are`;
  return `The ${types.join(" and ")} webhook${types.length > 1 ? "s" : ""} of ${entry.kind} ${types.length > 1 ? "are" : "is"}`;
}

/** The webhooks that go, and those that stay. Without a type all of them go. */
function chosen(entry: ProjectResource, options: CommandContext["options"]): { gone: Webhooks; rest: Webhooks } {
  const present = webhooksOf(entry);
  const flags = { defaulting: "defaulting", validation: "programmaticValidation", conversion: "conversion" } as const;
  const named = webhookTypes.filter((type) => options[flags[type]] === true);
  const types = named.length === 0 ? typesOf(present) : named;
  const missing = types.find((type) => !present[type]);
  if (types.length === 0 || missing !== undefined) {
    const there = typesOf(present).join(", ");
    throw workError(
      "no-webhook",
      `${entry.kind} has no ${missing === undefined ? "webhooks" : `${missing} webhook`}`,
      there === "" ? "npx scaffold create webhook makes one" : `it has ${there}`,
    );
  }
  const part = (has: (type: (typeof webhookTypes)[number]) => boolean): Webhooks => ({
    defaulting: present.defaulting && has("defaulting"),
    validation: present.validation && has("validation"),
    conversion: present.conversion && has("conversion"),
    spokes: has("conversion") ? present.spokes : [],
    ...(has("defaulting") && present.defaultingPath !== undefined ? { defaultingPath: present.defaultingPath } : {}),
    ...(has("validation") && present.validationPath !== undefined ? { validationPath: present.validationPath } : {}),
  });
  return { gone: part((type) => types.includes(type)), rest: part((type) => !types.includes(type)) };
}
