import { withoutControllerElsewhere, withResource } from "../../project/change-project.ts";
import { childrenProblem } from "../../project/children.ts";
import { collisionProblem } from "../../project/collisions.ts";
import { controllerFile, controllerNameProblem, controllersOf } from "../../project/controllers.ts";
import { entryOf } from "../../project/entries.ts";
import { kstatusChoice } from "../../project/kstatus.ts";
import { pluralProblem } from "../../project/names.ts";
import { kindFile, typesFile } from "../../project/paths.ts";
import { modelOf, type Project } from "../../project/project-file.ts";
import { type Resource, resource } from "../../project/resource.ts";
import { type CoreKinds, type ExternalApi, externalProblem, type TargetNames, targetOf } from "../../project/target.ts";
import type { CommandContext, CommandModule, CommandResult } from "../framework/command.ts";
import { usageError } from "../framework/errors.ts";
import { isOn, switchValue, textFlag } from "../framework/flags.ts";
import { accepted, refuse } from "../framework/problems.ts";
import { askYesNo } from "../framework/prompts.ts";
import { warnOfClusterScope } from "../models/cluster-scoped.ts";
import { coreKindTable } from "../models/core-kinds.ts";
import { fetchPackage, withPackageVersion } from "../models/external-package.ts";
import { askKind, externalApi } from "../models/kind-flags.ts";
import { loadProject, openScaffold, planAndApply } from "../models/project-work.ts";
import { samplesWithModelines } from "../models/sample-schemas.ts";

/** `scaffold create api`. */
export const command: CommandModule = {
  define(program) {
    program
      .description("Add a kind to the project's API: types, manifests, a sample, and a controller with tests.")
      .option("--group <name>", "API group, without the domain")
      .option("--version <version>", "API version, such as v1")
      .option("--kind <Kind>", "kind, such as Game")
      .option("--plural <name>", "resource name, if it isn't the regular plural of the kind")
      .option("--resource [bool]", "create the types, manifests and sample (default: true)", switchValue("--resource"))
      .option("--controller [bool]", "create the controller (default: true)", switchValue("--controller"))
      .option("--namespaced [bool]", "objects are namespaced (default: true)", switchValue("--namespaced"))
      .option(
        "--kstatus [bool]",
        "report the state of objects in their status, for Helm, Flux and kubectl wait (default: true)",
        switchValue("--kstatus"),
      )
      .option(
        "--children [bool]",
        "scaffold a controller that declares the objects it creates, with a ConfigMap as an example",
        switchValue("--children"),
      )
      .option("--force [bool]", "overwrite existing files", switchValue("--force"))
      .option(
        "--ssa [bool]",
        "record in PROJECT that the kind uses server-side apply, as kubebuilder does; client.apply has its types already",
        switchValue("--ssa"),
      )
      .option("--controller-name <name>", "name of the controller (default: the kind in lowercase)")
      .option("--external-api-path <module>", "module that exports the types of an external kind")
      .option("--external-api-module <package>", "npm package that contains the module: name or name@version")
      .option("--external-api-domain <name>", "API group domain of an external kind")
      .option(
        "--external [bool]",
        "with --from-crd: only read the kind; its CRD belongs to another project",
        switchValue("--external"),
      )
      .option("--from-crd <file>", "create types with markers from an existing CRD: a file, a URL, or - for stdin");
  },
  ignoredFlags: ["--make"],
  run,
};

async function run(context: CommandContext): Promise<CommandResult> {
  const { options, terminal, signal } = context;
  const ssa = isOn(options, "ssa");
  if (ssa) {
    terminal.onSuccess("note", "--ssa generates no code: client.apply accepts ApplyConfiguration<Kind> of each kind");
  }
  if (options.make !== undefined) terminal.onSuccess("note", "--make has no effect: no code needs to be generated");
  const ask = async (flag: "resource" | "controller", question: string) => {
    if (options[flag] !== undefined) return options[flag] === true;
    return terminal.interactive ? askYesNo(terminal, signal, question) : true;
  };
  const fromCrd = options.fromCrd === "-" ? "-" : textFlag(options, "fromCrd");
  if (fromCrd !== undefined) {
    const { createFromCrd } = await import("./create-api/from-crd.ts");
    return createFromCrd(context, fromCrd, () => ask("controller", "Create Controller"));
  }
  if (options.external === true) {
    throw usageError(
      "--external requires --from-crd, the CRD from which to create the types",
      "add --from-crd FILE; if an npm package exports the types, use --external-api-path in place of --external",
    );
  }
  const project = await loadProject(context);
  const names = await askKind(context, project, "create api");
  const given = externalApi(options);
  const controllerName = textFlag(options, "controllerName");
  refuse([externalProblem(given), controllerName === undefined ? undefined : controllerNameProblem(controllerName)]);
  const external = await withPackageVersion(context, given);
  // The types of an external kind exist already.
  const api = external.path === undefined && (await ask("resource", "Create Resource"));
  const controller = await ask("controller", "Create Controller");
  checkParts(context, { api, controller, controllerName, external });
  if (ssa && !api) throw usageError("--ssa can't be combined with --resource=false or an external kind");
  const coreKinds = await coreKindTable();
  const find = (current: Project) => findResource(context, current, names, { api, external, coreKinds });
  const added = find(project);
  refuse([pluralProblem(added.plural)]);
  const force = options.force === true;
  const children = isOn(options, "children");
  const problem = children ? childrenProblem(project, added, controller) : undefined;
  if (problem !== undefined) throw usageError(problem.message, problem.hint);

  const result = await planAndApply(
    context,
    async () => {
      // Read again under the lock: another run may have added something in the meantime.
      const loaded = await loadProject(context);
      const resource = find(loaded);
      refuse([collisionProblem(loaded, resource, { api, controller, controllerName, force })]);
      const current = controller
        ? withoutControllerElsewhere(loaded, resource, controllerName ?? kindFile(resource.kind))
        : loaded;
      const kstatus = kstatusChoice(loaded, resource, {
        api,
        force,
        kstatus: options.kstatus === undefined ? undefined : options.kstatus === true,
      });
      if (typeof kstatus !== "boolean") throw usageError(kstatus.message, kstatus.hint);
      if (api && current.namespaced && !resource.namespaced) {
        warnOfClusterScope(terminal, resource);
      }
      const { planCreateApi } = await import("../../scaffold/commands/create-api.ts");
      const { tree, templates, year } = await openScaffold(context);
      const plan = planCreateApi(tree, templates, {
        project: current,
        resource,
        coreKinds,
        api,
        controller,
        kstatus,
        ...(controllerName === undefined ? {} : { controllerNames: [controllerName] }),
        ...(children ? { children: [controllerName ?? kindFile(resource.kind)] } : {}),
        force,
        year,
        projectText: withResource(current, resource, {
          api,
          ssa,
          kstatus,
          controller,
          ...(external.package === undefined ? {} : { package: external.package }),
          ...(controller ? recordedControllers(current, resource, controllerName) : {}),
          ...(controller
            ? { children: { controller: controllerName ?? kindFile(resource.kind), isListed: children } }
            : {}),
        }),
        ...(external.package === undefined ? {} : { package: external.package }),
      });
      return samplesWithModelines(context, await plan, tree);
    },
    () => nextSteps(added, project, { api, controller, controllerName }),
  );
  await fetchPackage(context, external);
  return result;
}

interface Parts {
  readonly api: boolean;
  readonly controller: boolean;
  readonly controllerName?: string;
  readonly external: ExternalApi;
}

/** Refuses flags that can't be combined. */
function checkParts({ options }: CommandContext, { api, controller, controllerName, external }: Parts): void {
  if (!api && !controller)
    throw usageError("--resource=false and --controller=false can't be combined: nothing would be created");
  if (controllerName !== undefined && !controller) {
    throw usageError("--controller-name can't be combined with --controller=false");
  }
  if (external.path !== undefined && options.resource === true) {
    throw usageError(
      "--resource can't be combined with --external-api-path: the types of an external kind exist already",
    );
  }
}

/** Returns the plural of the kind's other versions, because all versions share one CRD. */
function pluralOfVersions(project: Project, { group, kind }: TargetNames): string | undefined {
  const other = project.resources.find((entry) => (entry.group ?? "") === group && entry.kind === kind);
  return other === undefined ? undefined : modelOf(other).plural;
}

/** Finds the kind to create, or the one that gets a controller: the project's own, built-in or external. */
function findResource(
  { options }: CommandContext,
  project: Project,
  names: TargetNames,
  { api, external, coreKinds }: { api: boolean; external: ExternalApi; coreKinds: CoreKinds },
): Resource {
  if (api) {
    const plural = names.plural ?? pluralOfVersions(project, names);
    return resource({ ...names, plural, domain: project.domain, namespaced: options.namespaced !== false });
  }
  return accepted(targetOf(project, names, external, coreKinds));
}

/** Returns the controllers to record in PROJECT. As soon as one has its own name, all of the kind's are recorded by name. */
function recordedControllers(project: Project, of: Resource, given: string | undefined): { controllers?: string[] } {
  const entry = entryOf(project, of);
  const name = given ?? (entry?.controllers === undefined ? undefined : kindFile(of.kind));
  return name === undefined ? {} : { controllers: [...new Set([...controllersOf(entry), name])] };
}

function nextSteps(
  added: Resource,
  project: Project,
  { api, controller, controllerName }: Omit<Parts, "external">,
): string {
  const what = [api ? "types" : "", controller ? "controller" : ""].filter((part) => part !== "").join(" and ");
  const file = api ? typesFile(added, project) : controllerFile(added, controllerName ?? kindFile(added.kind), project);
  return `Created ${what} for ${added.kind}. Next: edit ${file}, then run make manifests (or npm run manifests)`;
}
