import { relative } from "node:path";
import { type GeneratorConfig, parseOptions } from "../../../generate/options/index.ts";
import { generatedFiles } from "../../../generate/output/generated-files.ts";
import { directoryOf } from "../../../generate/output/plan.ts";
import type { Project } from "../../../project/project-file.ts";
import type { MergePlan } from "../../../scaffold/commands/upgrade.ts";
import { plannedTree } from "../../../scaffold/files/memory-tree.ts";
import { type Operation, operationsTo } from "../../../scaffold/files/operation.ts";
import { projectFiles } from "../../../scaffold/files/project-files.ts";
import type { Tree } from "../../../scaffold/files/tree.ts";
import { withResource } from "../../../scaffold/kustomize/resources.ts";
import { manifestsOptions, withGenerators } from "../../../tasks/makefile.ts";
import type { CommandContext } from "../../framework/command.ts";
import { workError } from "../../framework/errors.ts";
import { withCliErrors } from "../../framework/problems.ts";
import { isSample, sampleWithModeline, sampleWithoutModeline, schemaDirectory } from "../../models/modelines.ts";
import { onceFiles } from "./once-files.ts";
import type { SwitchedGenerator } from "./switched-generators.ts";

const deployedKustomization = "config/default/kustomization.yaml";
/** The directory of the policies, as config/default lists it. */
const policyDirectory = "../policy";

interface Switches {
  readonly enable: readonly SwitchedGenerator[];
  readonly disable: readonly SwitchedGenerator[];
}

/** Adds generators to the Makefile's `manifests` line, or removes them with the files that they have written. */
export async function switchGenerators(
  { env }: Pick<CommandContext, "env">,
  plan: MergePlan,
  { tree, project, switches }: { readonly tree: Tree; readonly project: Project; readonly switches: Switches },
): Promise<MergePlan> {
  const { enable, disable } = switches;
  const planned = plannedTree(tree, plan);
  const makefile = planned.readText("Makefile") ?? "";
  const changed = withGenerators(makefile, switches);
  if (changed === undefined) throw missingCall([...enable, ...disable]);
  const read = (text: string) => withCliErrors(async () => configOf(manifestsOptions(text, env)));
  const [before, after] = [await read(makefile), await read(changed)];
  const left = disable.find((name) => after?.generators[name] !== undefined);
  if (left !== undefined) {
    throw workError("option-missing", `--disable ${left}: it is in a variable of the Makefile`, "remove it there");
  }
  const contents = new Map<string, string>([["Makefile", changed]]);
  const gone = new Set<string>();
  const notes: string[] = [];
  const inProject = (path: string) => relative(tree.root, path).replaceAll("\\", "/");
  for (const name of disable) {
    const directory = directoryOf(before?.output[name]);
    if (directory === undefined) continue;
    for (const { path } of generatedFiles(name, `${tree.root}/${directory}`)) {
      gone.add(inProject(path));
    }
    const { runbooks } = before?.generators.monitoring ?? {};
    if (name !== "monitoring" || runbooks === undefined) continue;
    const { unedited, edited } = onceFiles(`${tree.root}/${directory}`, `${tree.root}/${runbooks}`);
    for (const path of unedited) gone.add(inProject(path));
    notes.push(...edited.map((path) => `${inProject(path)} has your changes, so it stays`));
  }
  for (const [path, text] of samples(planned)) {
    const old = before && disable.includes("jsonschema") ? schemaDirectory(before) : undefined;
    const next = after && enable.includes("jsonschema") ? schemaDirectory(after) : undefined;
    if (old !== undefined) contents.set(path, sampleWithoutModeline(path, text, old));
    if (next !== undefined) contents.set(path, sampleWithModeline(path, text, project, next));
  }
  const deployed = planned.readText(deployedKustomization);
  if (deployed !== undefined) {
    const on = enable.includes("policy") ? true : disable.includes("policy") ? false : undefined;
    if (on !== undefined) contents.set(deployedKustomization, withResource(deployed, policyDirectory, on));
  }
  const done = withOperations(plan, operationsTo(planned, contents, gone), tree);
  return notes.length === 0 ? done : { ...done, notes: [...(done.notes ?? []), ...notes] };
}

/** Returns the options of the Makefile; undefined if they aren't valid, which `make manifests` reports. */
function configOf(options: readonly string[]): GeneratorConfig | undefined {
  return parseOptions(options.filter((option) => !option.startsWith("-"))).config;
}

function samples(tree: Tree): [string, string][] {
  return projectFiles(tree.root)
    .filter(isSample)
    .flatMap((path) => {
      const text = tree.readText(path);
      return text === undefined ? [] : [[path, text] as [string, string]];
    });
}

/** Adds operations to a plan, whose result they change. */
function withOperations(plan: MergePlan, more: readonly Operation[], tree: Tree): MergePlan {
  const operations = new Map(plan.operations.map((operation) => [operation.path, operation]));
  for (const operation of more) {
    const isNew = operation.op === "update" && tree.read(operation.path) === undefined;
    operations.set(operation.path, isNew ? { ...operation, op: "create" } : operation);
  }
  return { ...plan, operations: [...operations.values()].sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

function missingCall(names: readonly string[]): Error {
  return workError(
    "option-missing",
    `the manifests target of the Makefile has no call of scaffold generate, to which ${names.join(", ")} could be added; nothing was changed`,
    `add the target to the Makefile:\nmanifests:\n\tscaffold generate rbac:roleName=manager-role crd webhook ${names.join(" ")} paths=./... output:crd:artifacts:config=config/crd/bases $(GENERATE_FLAGS)`,
  );
}
