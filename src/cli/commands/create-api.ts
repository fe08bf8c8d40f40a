import { collisionProblem } from "../../project/collisions.ts";
import { pluralProblem, shown } from "../../project/names.ts";
import { apiDirectory } from "../../project/paths.ts";
import { type Project, type ProjectResource, sameResource, withResource } from "../../project/project-file.ts";
import { type Resource, resource } from "../../project/resource.ts";
import type { CommandContext, CommandModule, CommandResult } from "../command.ts";
import { usageError } from "../errors.ts";
import { refuseFlags, switchValue } from "../flags.ts";
import { askKind, type KindFlags } from "../kind-flags.ts";
import { refuse } from "../problems.ts";
import { loadProject, planAndApply, templatesDirectory } from "../project-work.ts";
import { askYesNo } from "../prompts.ts";

/** `scaffold create api`. */
export const command: CommandModule = {
  define(program) {
    program
      .description("Adds a kind to the project's API: types, manifests, a sample, and a controller with its tests.")
      .option("--group <name>", "API group, without the domain")
      .option("--version <version>", "API version, such as v1")
      .option("--kind <Kind>", "kind, such as Game")
      .option("--plural <name>", "resource name, where it isn't the kind's regular plural")
      .option("--resource [bool]", "make the types and what belongs to them (default: true)", switchValue("--resource"))
      .option("--controller [bool]", "make a controller (default: true)", switchValue("--controller"))
      .option("--namespaced [bool]", "objects live in namespaces (default: true)", switchValue("--namespaced"))
      .option("--force [bool]", "scaffold over files that exist", switchValue("--force"))
      .option("--make [bool]", "accepted for habit's sake: there is no code to generate", switchValue("--make"))
      .option("--ssa [bool]", "accepted for habit's sake: client.apply needs no generated code", switchValue("--ssa"))
      .option("--controller-name <name>", "a name of its own for the controller")
      .option("--external-api-path <module>", "module that exports the types of a kind from elsewhere")
      .option("--external-api-module <package>", "npm package with that module")
      .option("--external-api-domain <name>", "domain of a kind from elsewhere")
      .option("--from-crd <file>", "types for a CRD that exists elsewhere");
  },
  run,
};

const notYet = {
  controllerName: { flag: "--controller-name", instead: "a kind has one controller, named after it" },
  externalApiPath: { flag: "--external-api-path", instead: "kinds of the project's own groups can be made" },
  externalApiModule: { flag: "--external-api-module", instead: "kinds of the project's own groups can be made" },
  externalApiDomain: { flag: "--external-api-domain", instead: "kinds of the project's own groups can be made" },
  fromCrd: { flag: "--from-crd", instead: "write the types by hand" },
} as const;

async function run(context: CommandContext): Promise<CommandResult> {
  const { options, terminal, signal, cwd } = context;
  refuseFlags(options, notYet);
  if (options.ssa !== undefined && options.ssa !== false)
    terminal.note("--ssa: client.apply needs no generated code, the flag has no effect");
  if (options.make !== undefined) terminal.note("--make: there is no code to generate, the flag has no effect");
  const { openTree } = await import("../../scaffold/tree.ts");
  const project = await loadProject(cwd);
  const names = await askKind(context, project, "create api");
  const known = project.resources.find((entry) =>
    sameResource(entry, { ...names, domain: project.domain } as Resource),
  );
  const ask = async (flag: "resource" | "controller", question: string) => {
    if (options[flag] !== undefined) return options[flag] === true;
    return terminal.interactive ? askYesNo(terminal, signal, question) : true;
  };
  const api = await ask("resource", "Create Resource");
  const controller = await ask("controller", "Create Controller");
  checkParts(api, controller, known, names);
  const added = resource({ ...names, domain: project.domain, namespaced: namespacedOf(options, known, api) });
  refuse([pluralProblem(added.plural)]);
  const force = options.force === true;
  if (api && project.namespaced && !added.namespaced) {
    terminal.warn(
      `${added.kind} is cluster-scoped, and the manager of a --namespaced project has Roles only: give it a ClusterRole for ${added.plural} by hand`,
    );
  }

  return planAndApply(
    context,
    async () => {
      // Read again under the lock: another run may have added something in the meantime.
      const current = await loadProject(cwd);
      refuse([collisionProblem(current, added, { api, controller, force })]);
      const { planCreateApi } = await import("../../scaffold/create-api.ts");
      const { openTemplates } = await import("../../scaffold/templates.ts");
      return planCreateApi(openTree(cwd), await openTemplates(templatesDirectory()), {
        project: current,
        resource: added,
        api,
        controller,
        force,
        year: new Date().getFullYear(),
        projectText: withResource(current, added, { api, controller }),
      });
    },
    () => nextSteps(added, project, api, controller),
  );
}

/** A controller needs types to work with, and a call needs something to do. */
function checkParts(api: boolean, controller: boolean, known: ProjectResource | undefined, names: KindFlags): void {
  if (!api && !controller) throw usageError("--resource=false and --controller=false together leave nothing to create");
  if (!api && known?.api === undefined) {
    throw usageError(
      `--resource=false needs types that exist, and the project has no kind ${shown(names.kind)} in ${names.group}/${names.version}`,
      "leave the flag out to create them",
    );
  }
}

/** The scope is the types' business: a controller that comes later goes by what is recorded. */
function namespacedOf(options: CommandContext["options"], known: ProjectResource | undefined, api: boolean): boolean {
  if (!api && known !== undefined) return known.api?.namespaced === true;
  return options.namespaced !== false;
}

function nextSteps(added: Resource, project: Project, api: boolean, controller: boolean): string {
  const what = [api ? "types" : "", controller ? "controller" : ""].filter((part) => part !== "").join(" and ");
  const file = `${apiDirectory(added, project)}/${added.kind.toLowerCase()}-types.ts`;
  const edit = api ? `edit ${file}, then ` : "";
  return `${added.kind} has its ${what}. Next: ${edit}make manifests (or npm run manifests)`;
}
