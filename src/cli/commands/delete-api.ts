import { withoutResource } from "../../project/change-project.ts";
import { controllersOf } from "../../project/controllers.ts";
import { entryHasTypes, sameKind } from "../../project/entries.ts";
import type { Project, ProjectResource } from "../../project/project-file.ts";
import { completeModel } from "../../project/target.ts";
import { webhooksOf } from "../../project/webhooks.ts";
import { storedVersions } from "../doctor/stored-versions.ts";
import type { CommandContext, CommandModule, CommandResult } from "../framework/command.ts";
import { guidePage } from "../framework/docs-links.ts";
import { workError } from "../framework/errors.ts";
import { switchValue } from "../framework/flags.ts";
import { coreKindTable } from "../models/core-kinds.ts";
import { askKind } from "../models/kind-flags.ts";
import { loadProject, openScaffold, planAndApply } from "../models/project-work.ts";
import { recordedKind } from "../models/recorded-kind.ts";

/** `scaffold delete api`. */
export const command: CommandModule = {
  define(program) {
    program
      .description("Undo create api for a kind: remove its types, its controller, and their registrations.")
      .option("--group <name>", "API group, without the domain")
      .option("--version <version>", "API version, such as v1")
      .option("--kind <Kind>", "kind, such as Game")
      .option("--force [bool]", "also remove files that you changed", switchValue("--force"));
  },
  run,
};

async function run(context: CommandContext): Promise<CommandResult> {
  const { options } = context;
  const project = await loadProject(context);
  const names = await askKind(context, project, "delete api");
  const entry = recordedKind(project, names);
  if (options.force !== true) await refuseStored(context, project, entry);
  return planAndApply(
    context,
    async () => {
      // Read again under the lock: another run may have changed it in the meantime.
      const current = await loadProject(context);
      const recorded = recordedKind(current, names);
      refuseWebhooks(recorded);
      refuseSpoke(current, recorded);
      const { planDeleteApi } = await import("../../scaffold/commands/delete-api.ts");
      const { tree, templates, year } = await openScaffold(context);
      const coreKinds = await coreKindTable();
      const resource = completeModel(recorded, coreKinds);
      return planDeleteApi(tree, templates, {
        project: current,
        resource,
        coreKinds,
        api: entryHasTypes(recorded),
        controller: controllersOf(recorded).length > 0,
        controllerNames: controllersOf(recorded),
        kstatus: recorded.kstatus === true,
        children: recorded.children,
        force: options.force === true,
        year,
        projectText: withoutResource(current, resource),
      });
    },
    () => `Deleted ${entry.kind}. Next: run make manifests (or npm run manifests) to update the roles`,
  );
}

/** Refuses to delete a kind that has webhooks, because they need its types. */
function refuseWebhooks({ webhooks, group = "", version, kind }: ProjectResource): void {
  if (webhooks === undefined) return;
  throw workError(
    "has-webhooks",
    `${kind} can't be deleted: its webhooks need its types; delete them first`,
    `npx scaffold delete webhook --group ${group} --version ${version} --kind ${kind}`,
  );
}

/**
 * Refuses to delete one of several versions of a kind while the cluster of the kubeconfig may store objects in it, because the
 * CRD without this version can't be applied.
 */
async function refuseStored(context: CommandContext, project: Project, entry: ProjectResource): Promise<void> {
  if (!entryHasTypes(entry)) return;
  const model = completeModel(entry, await coreKindTable());
  const { version, kind, qualifiedGroup, plural } = model;
  if (!project.resources.some((other) => sameKind(other, model) && other.version !== version)) return;
  const [definition] = await storedVersions(context, [`${plural}.${qualifiedGroup}`]);
  if (definition === undefined || !definition.stored.includes(version)) return;
  throw workError(
    "stored-version",
    `${kind} ${version} can't be deleted: status.storedVersions of ${plural}.${qualifiedGroup} contains ${version}, so the cluster may store objects in it`,
    `migrate the objects first, or use --force: see ${guidePage("migrate-stored-objects")}`,
  );
}

/** Refuses to delete a spoke, because the list of versions of its hub imports it. */
function refuseSpoke({ resources }: Project, { group = "", version, kind }: ProjectResource): void {
  const hub = resources.find(
    (entry) => (entry.group ?? "") === group && entry.kind === kind && webhooksOf(entry).spokes.includes(version),
  );
  if (hub === undefined) return;
  throw workError(
    "has-webhooks",
    `${kind} ${version} can't be deleted: the conversion to ${hub.version} needs its types; delete the conversion first`,
    `npx scaffold delete webhook --group ${group} --version ${hub.version} --kind ${kind} --conversion`,
  );
}
