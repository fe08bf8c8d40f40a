import { type ProjectOptions, withOptions } from "../../project/change-project.ts";
import { readProject } from "../../project/project-file.ts";
import { packageIdentity } from "../../project/repo.ts";
import type { MergePlan } from "../commands/upgrade.ts";
import { planEdit } from "../edit/edit.ts";
import { openTree } from "../files/tree.ts";
import type { Option } from "../parts/config-options.ts";
import { openTemplates } from "../templates/templates.ts";
import { applyFormatted, formatOf } from "./formatted.ts";
import { createApi, createWebhook, templatesDirectory } from "./game.ts";

/** Changes the options of a scaffolded project, as `edit` does. */
export async function edit(
  root: string,
  options: ProjectOptions,
  boilerplate?: string,
  switches?: { enable: Option[]; disable: Option[] },
): Promise<MergePlan> {
  const tree = openTree(root);
  const before = readProject(tree.readText("PROJECT") ?? "");
  if ("message" in before) throw new Error(before.message);
  const npm = packageIdentity(before.repo);
  if (npm === undefined) throw new Error("no package");
  const plan = await planEdit(tree, await openTemplates(templatesDirectory), {
    before,
    after: withOptions(before, options),
    boilerplate,
    switches,
    npm,
    year: 2026,
    coreKinds: () => ({ plural: "deployments", namespaced: true }),
    format: formatOf(root),
  });
  await applyFormatted(root, plan);
  return plan;
}

export type Make = (root: string) => Promise<unknown>;

/** Steps that create the contents of a project. */
export const makes: [string, Make][] = [
  ["no kind", async () => undefined],
  ["one kind", createApi],
  [
    "kinds, versions and webhooks",
    async (root) => {
      await createApi(root);
      await createApi(root, { version: "v2", controller: false });
      await createApi(root, { kind: "Chess", namespaced: false });
      await createWebhook(root, { defaulting: true, validation: true });
      await createWebhook(root, { conversion: true, spokes: ["v2"] });
    },
  ],
];
