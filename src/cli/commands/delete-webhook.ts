import { withWebhooksLeft } from "../../project/change-project.ts";
import type { ProjectResource } from "../../project/project-file.ts";
import { completeModel } from "../../project/target.ts";
import { recordedIfAny, typesOf, type Webhooks, webhooksOf, webhookTypes } from "../../project/webhooks.ts";
import type { CommandContext, CommandModule, CommandResult } from "../framework/command.ts";
import { workError } from "../framework/errors.ts";
import { switchValue } from "../framework/flags.ts";
import { coreKindTable } from "../models/core-kinds.ts";
import { askKind } from "../models/kind-flags.ts";
import { loadProject, openScaffold, planAndApply } from "../models/project-work.ts";
import { recordedKind } from "../models/recorded-kind.ts";

/** `scaffold delete webhook`. */
export const command: CommandModule = {
  define(program) {
    program
      .description("Undo create webhook for a kind: remove the webhooks of the given types, or all of them.")
      .option("--group <name>", "API group, without the domain")
      .option("--version <version>", "API version, such as v1")
      .option("--kind <Kind>", "kind, such as Game")
      .option("--defaulting [bool]", "delete the defaulting webhook", switchValue("--defaulting"))
      .option(
        "--programmatic-validation [bool]",
        "delete the validating webhook",
        switchValue("--programmatic-validation"),
      )
      .option("--conversion [bool]", "delete the conversion webhook", switchValue("--conversion"));
  },
  run,
};

async function run(context: CommandContext): Promise<CommandResult> {
  const { options } = context;
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
      const { planDeleteWebhook } = await import("../../scaffold/commands/delete-webhook.ts");
      const { tree, templates, year } = await openScaffold(context);
      const resource = completeModel(entry, await coreKindTable());
      return planDeleteWebhook(tree, templates, {
        project: current,
        resource,
        wanted: gone,
        rest,
        year,
        projectText: withWebhooksLeft(current, resource, recordedIfAny(rest)),
      });
    },
    () =>
      `Deleted ${deletedWebhooks(recordedKind(project, names), options)}. Next: run make manifests (or npm run manifests) to update the configurations`,
  );
}

/** Names the deleted webhooks: all of a kind's, or their types if others remain. */
function deletedWebhooks(entry: ProjectResource, options: CommandContext["options"]): string {
  const { gone, rest } = chosen(entry, options);
  const types = typesOf(gone).map((type) => (type === "validation" ? "validating" : type));
  if (typesOf(rest).length === 0) return `all webhooks of ${entry.kind}`;
  return `the ${types.join(" and ")} webhook${types.length > 1 ? "s" : ""} of ${entry.kind}`;
}

/** Splits a kind's webhooks into those to delete and those to keep. Without a type, all are deleted. */
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
      there === "" ? "create one with npx scaffold create webhook" : `its webhooks: ${there}`,
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
