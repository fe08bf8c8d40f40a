import { readProject } from "../../project/project-file.ts";
import { packageIdentity } from "../../project/repo.ts";
import { choicesToRebase, planRebase } from "../commands/rebase.ts";
import { replay, replayAdded } from "../commands/replay.ts";
import { choicesOf } from "../commands/replay-choices.ts";
import { type MergePlan, planUpgrade } from "../commands/upgrade.ts";
import type { Plan } from "../files/operation.ts";
import { openTree, type Tree } from "../files/tree.ts";
import { fileHeader } from "../parts/boilerplate.ts";
import { pristineTree } from "../pristine/pristine.ts";
import { openTemplates } from "../templates/templates.ts";
import { applyFormatted, formatOf } from "./formatted.ts";
import { templatesDirectory } from "./game.ts";

/** Changes the text of a rendered file. */
export type Edit = (path: string, text: string) => string;

/** Upgrades a project with the current templates, whose output `edit` changes. */
export async function upgradeProject(root: string, edit: Edit = (_, text) => text, year = 2026): Promise<MergePlan> {
  const plan = await planOfUpgrade(root, edit, year);
  await applyFormatted(root, plan);
  return plan;
}

/** Returns the plan of an upgrade with such templates. */
export async function planOfUpgrade(root: string, edit: Edit = (_, text) => text, year = 2026): Promise<MergePlan> {
  const tree = openTree(root);
  const copies = pristineTree(tree);
  const { added, ...texts } = await rendered(tree, copies, edit, year);
  return planUpgrade(tree, { ...texts, added: await added(), artifacts: [], format: formatOf(root) });
}

/** Returns the plan of a rebuild of a project's pristine copies. */
export async function planOfRebase(root: string): Promise<Plan> {
  const tree = openTree(root);
  return planRebase(tree, await rendered(tree, choicesToRebase(tree), (_, text) => text, 2026));
}

async function rendered(tree: Tree, copies: Tree, edit: Edit, year: number) {
  const project = readProject(tree.readText("PROJECT") ?? "");
  if ("message" in project) throw new Error(project.message);
  const npm = packageIdentity(project.repo);
  if (npm === undefined) throw new Error("no package");
  const boilerplate = tree.readText("hack/boilerplate.txt") ?? "";
  const templates = await openTemplates(templatesDirectory);
  const input = {
    project,
    npm,
    boilerplate,
    year,
    references: { kubewright: "0.0.0", runtime: "0.0.0", apiserver: "0.0.0", files: [] },
    ...choicesOf(copies, project),
    coreKinds: () => ({ plural: "deployments", namespaced: true }),
  };
  const texts = await replay(templates, input);
  const target = new Map([...texts].map(([path, text]) => [path, edit(path, text)]));
  const added = () => replayAdded(templates, input, target, tree);
  return { target, added, header: fileHeader(boilerplate, year) };
}
