import { relative } from "node:path";
import type { Project } from "../../../project/project-file.ts";
import { withChart, withoutChart } from "../../../scaffold/chart/plan.ts";
import type { MergePlan } from "../../../scaffold/commands/upgrade.ts";
import type { Tree } from "../../../scaffold/files/tree.ts";
import { MissingResource } from "../../../scaffold/kustomize/build/build.ts";
import type { Templates } from "../../../scaffold/templates/templates.ts";
import type { CommandContext } from "../../framework/command.ts";

interface ChartChange {
  readonly before: Project;
  readonly after: Project;
  readonly tree: Tree;
  readonly templates: Templates;
}

/** Adds the changes of the Helm chart to a plan: creates it, renders it again, or removes it. */
export async function chartFollows(
  context: CommandContext,
  plan: MergePlan,
  { before, after, tree, templates }: ChartChange,
): Promise<MergePlan> {
  if (!after.helm) return before.helm ? withoutChart(plan, tree) : plan;
  try {
    return withChart(plan, tree, templates, after);
  } catch (error) {
    if (!(error instanceof MissingResource)) throw error;
    // Before the first "make manifests", its output doesn't exist yet.
    return withChart(plan, tree, templates, after, await manifests(context, tree.root));
  }
}

/** Returns the files that `make manifests` would write, by path in the project, without those that have errors. */
async function manifests(context: CommandContext, root: string): Promise<ReadonlyMap<string, string>> {
  const { readCall } = await import("../../generate-call/call.ts");
  const { generate } = await import("../../../generate/generate.ts");
  const { request } = await readCall({
    ...context,
    args: [],
    options: { unknownMarkers: "error" },
    globals: { ...context.globals, json: false },
  });
  const { plan } = await generate({ ...request, cwd: root });
  return new Map(
    plan.writes.flatMap(({ path, after }) =>
      after === undefined ? [] : [[relative(root, path).replaceAll("\\", "/"), after] as const],
    ),
  );
}
