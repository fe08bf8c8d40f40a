import { shown } from "../../project/names.ts";
import { modelOf, type Project, type ProjectResource, withoutResource } from "../../project/project-file.ts";
import type { CommandContext, CommandModule, CommandResult } from "../command.ts";
import { usageError, workError } from "../errors.ts";
import { textFlag } from "../flags.ts";
import { loadProject, planAndApply, templatesDirectory } from "../project-work.ts";
import { askText } from "../prompts.ts";

/** `scaffold delete api`. */
export const command: CommandModule = {
  define(program) {
    program
      .description("Takes back what create api made of a kind: its types, its controller, and their lines elsewhere.")
      .option("--group <name>", "API group, without the domain")
      .option("--version <version>", "API version, such as v1")
      .option("--kind <Kind>", "kind, such as Game");
  },
  run,
};

async function run(context: CommandContext): Promise<CommandResult> {
  const { cwd } = context;
  const { openTree } = await import("../../scaffold/tree.ts");
  const project = await loadProject(cwd);
  const names = await askNames(context);
  const entry = find(project, names);
  return planAndApply(
    context,
    async () => {
      // Read again under the lock: another run may have changed it in the meantime.
      const current = await loadProject(cwd);
      const found = find(current, names);
      refuseWebhooks(found);
      const { planDeleteApi } = await import("../../scaffold/delete-api.ts");
      const { openTemplates } = await import("../../scaffold/templates.ts");
      const resource = modelOf(found);
      return planDeleteApi(openTree(cwd), await openTemplates(templatesDirectory()), {
        project: current,
        resource,
        api: found.api !== undefined,
        controller: found.controller === true,
        year: new Date().getFullYear(),
        projectText: withoutResource(current, resource),
      });
    },
    () => `${entry.kind} is gone. Next: make manifests (or npm run manifests), so that the roles follow`,
  );
}

type Names = Readonly<Record<"group" | "version" | "kind", string>>;

async function askNames({ options, terminal, signal }: CommandContext): Promise<Names> {
  const complete = async (name: keyof Names, example: string): Promise<string> => {
    const given = textFlag(options, name);
    if (given !== undefined) return given;
    if (terminal.interactive) return askText(terminal, signal, { message: name });
    throw usageError(
      `--${name} is missing, such as --${name} ${example}`,
      "scaffold delete api --help shows the flags",
    );
  };
  return {
    group: await complete("group", "shop"),
    version: await complete("version", "v1"),
    kind: await complete("kind", "Game"),
  };
}

function find(project: Project, names: Names): ProjectResource {
  const { group, version, kind } = names;
  const entry = project.resources.find(
    (candidate) => (candidate.group ?? "") === group && candidate.version === version && candidate.kind === kind,
  );
  if (entry !== undefined) return entry;
  const there = project.resources.map((each) => `${each.group ?? ""}/${each.version} ${each.kind}`).join(", ");
  throw workError(
    "no-api",
    `the project has no kind ${shown(kind)} in ${shown(`${group}/${version}`)}`,
    there === "" ? "it has no kinds at all" : `it has ${there}`,
  );
}

/** Webhooks need the kind's types: they go first. */
function refuseWebhooks({ webhooks, group = "", version, kind }: ProjectResource): void {
  if (webhooks === undefined) return;
  throw workError(
    "has-webhooks",
    `${kind} has webhooks, which need its types: delete them first`,
    `scaffold delete webhook --group ${group} --version ${version} --kind ${kind}`,
  );
}
