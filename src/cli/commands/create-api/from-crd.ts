import type { CustomResourceDefinition } from "../../../kubernetes/custom-resource-definition.ts";
import { childrenProblem } from "../../../project/children.ts";
import { collisionProblem } from "../../../project/collisions.ts";
import { typesFile } from "../../../project/paths.ts";
import type { Project } from "../../../project/project-file.ts";
import { unknownValue } from "../../../project/unknown-value.ts";
import type { CrdNames } from "../../../scaffold/from-crd/read.ts";
import { namesProblem, resourceOf } from "../../../scaffold/from-crd/resource.ts";
import { shown } from "../../../text/shown.ts";
import type { CommandContext, CommandResult } from "../../framework/command.ts";
import { guidePage } from "../../framework/docs-links.ts";
import { usageError } from "../../framework/errors.ts";
import { isOn, textFlag } from "../../framework/flags.ts";
import { accepted, refuse } from "../../framework/problems.ts";
import { warnOfClusterScope } from "../../models/cluster-scoped.ts";
import { coreKindTable } from "../../models/core-kinds.ts";
import { loadProject, openScaffold, planAndApply } from "../../models/project-work.ts";
import { samplesWithModelines } from "../../models/sample-schemas.ts";
import { crdText } from "./crd-source.ts";

/** Flags that can't be combined with `--from-crd`. */
const excluded = ["controllerName", "externalApiPath", "externalApiModule", "externalApiDomain"] as const;

/**
 * `scaffold create api --from-crd`: creates types with markers for an existing CRD.
 *
 * @param controller asks whether to create a controller
 */
export async function createFromCrd(
  context: CommandContext,
  source: string,
  controller: () => Promise<boolean>,
): Promise<CommandResult> {
  const { options, terminal } = context;
  for (const name of excluded) {
    if (options[name] === undefined) continue;
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    throw usageError(
      `--from-crd can't be combined with ${flag}: the CRD specifies the kind, and its types are created here`,
    );
  }
  if (options.resource === false) throw usageError("--from-crd can't be combined with --resource=false");
  if (options.kstatus === true) {
    throw usageError(
      "--from-crd can't be combined with --kstatus: the CRD specifies the status",
      `set observedGeneration and conditions: see ${guidePage("readiness")}`,
    );
  }
  const external = options.external === true;
  const project = await loadProject(context);
  const { readCrd } = await import("../../../scaffold/from-crd/read.ts");
  const isWanted = ({ group, kind, plural }: CrdNames) => {
    const [wantedGroup, ...wanted] = ["group", "kind", "plural"].map((flag) => textFlag(options, flag));
    return (
      (wantedGroup === undefined || group === wantedGroup || group === `${wantedGroup}.${project.domain}`) &&
      [kind, plural].every((name, index) => wanted[index] === undefined || name === wanted[index])
    );
  };
  const read = accepted(readCrd(await crdText(source, context), `--from-crd ${shown(source)}`, isWanted));
  refuse([namesProblem(read)]);
  const group = (current: Project) => resourceOf(read, { name: "" }, current, external).group;
  const crd = chosen(read, context, group(project));
  const withController = await controller();
  const children = isOn(options, "children");
  const owner = { kind: crd.spec.names.kind, namespaced: crd.spec.scope === "Namespaced" };
  const problem = children ? childrenProblem(project, owner, withController) : undefined;
  if (problem !== undefined) throw usageError(problem.message, problem.hint);
  const force = options.force === true;
  if (!external && project.namespaced && crd.spec.scope === "Cluster") {
    warnOfClusterScope(terminal, crd.spec.names);
  }
  return planAndApply(
    context,
    async () => {
      // Read again under the lock: another run may have added something in the meantime.
      const current = await loadProject(context);
      const stored = crd.spec.versions.find(({ storage }) => storage);
      for (const version of crd.spec.versions) {
        const wanted = { api: true, controller: withController && version === stored, force };
        refuse([collisionProblem(current, resourceOf(crd, version, current, external), wanted)]);
      }
      const { tree, templates, year } = await openScaffold(context);
      const { planFromCrd } = await import("../../../scaffold/from-crd/plan.ts");
      const { markerTexts } = await import("../../../generate/markers/write.ts");
      const { coreTypeOfSchema } = await import("../../../generate/schema/core-type-of-schema.ts");
      const { sampleProblems } = await import("../../models/sample-problems.ts");
      const plan = planFromCrd(tree, templates, {
        project: current,
        crd,
        coreKinds: await coreKindTable(),
        controller: withController,
        children,
        external,
        force,
        year,
        foreignTypes: coreTypeOfSchema,
        markerTexts,
        sampleProblems: sampleProblems(),
      });
      return samplesWithModelines(context, await plan, tree);
    },
    () => nextSteps(crd, project, { controller: withController, external }),
    // The kind exists then.
    "--force --dry-run --json",
  );
}

/** Applies `--version` to the CRD, and checks that the other flags match it. */
function chosen(crd: CustomResourceDefinition, { options }: CommandContext, group: string): CustomResourceDefinition {
  const { names, versions, scope } = crd.spec;
  for (const [flag, allowed] of [
    ["group", [group, crd.spec.group]],
    ["kind", [names.kind]],
    ["plural", [names.plural]],
    ["version", versions.map(({ name }) => name)],
  ] as const) {
    const value = textFlag(options, flag);
    if (value !== undefined && !allowed.includes(value)) {
      throw usageError(
        `--${flag} ${shown(value)} doesn't match the CustomResourceDefinition: it has ${[...new Set(allowed)].join(", ")}`,
        unknownValue(`--${flag}`, value, allowed).hint,
      );
    }
  }
  if (options.namespaced !== undefined && options.namespaced !== (scope === "Namespaced")) {
    throw usageError(
      `--namespaced=${options.namespaced} doesn't match the CustomResourceDefinition: its scope is ${scope}`,
    );
  }
  const version = textFlag(options, "version");
  if (version === undefined) return crd;
  const only = versions.filter(({ name }) => name === version).map((crdVersion) => ({ ...crdVersion, storage: true }));
  return { ...crd, spec: { ...crd.spec, versions: only } };
}

function nextSteps(
  crd: CustomResourceDefinition,
  project: Project,
  { controller, external }: { readonly controller: boolean; readonly external: boolean },
): string {
  const { kind } = crd.spec.names;
  const files = crd.spec.versions.map((version) => typesFile(resourceOf(crd, version, project, external), project));
  const what = controller ? "types and controller" : "types";
  const next = !external
    ? "run make manifests (or npm run manifests), which maintains the CRD from now on"
    : controller
      ? "edit the controller, then run make manifests (or npm run manifests) to update the roles"
      : `use ${kind} in the watches of your controllers and the calls of their clients, and add a +kubebuilder:rbac marker`;
  return `Created ${what} for ${kind}: ${files.join(", ")}. Next: ${next}`;
}
