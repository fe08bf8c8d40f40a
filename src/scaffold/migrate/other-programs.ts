import { controllerClass, controllerFile, controllersOf } from "../../project/controllers.ts";
import { relativeImport } from "../../project/paths.ts";
import type { Project } from "../../project/project-file.ts";
import { canWatch, type Permission } from "../../project/role-namespaces.ts";
import { type CoreKinds, completeModel } from "../../project/target.ts";
import { mainFile } from "../parts/main-file.ts";
import { mapOf } from "../text/maps.ts";
import { readableValues } from "./readable-values.ts";

/**
 * Removes controllers from `src/main.ts` that the role of the operator doesn't let watch their kind: another program of the Go
 * project runs them, with a role of its own. Without the permission, the whole manager wouldn't start.
 *
 * @param main - the text of `src/main.ts`
 * @param permissions - those of the operator's role
 */
export function withoutOtherPrograms(
  main: string,
  project: Project,
  permissions: readonly Permission[],
  coreKinds: CoreKinds,
): { readonly text: string; readonly notes: readonly string[] } {
  const started = project.resources.flatMap((entry) => {
    const model = completeModel(entry, coreKinds);
    const isWatched = canWatch(permissions, { ...model, group: model.qualifiedGroup });
    return controllersOf(entry).map((name) => ({ model, name, isWatched }));
  });
  // A role without a permission for any of them isn't the only one of the operator.
  if (!started.some(({ isWatched }) => isWatched)) return { text: main, notes: [] };
  const notes: string[] = [];
  let text = main;
  for (const { model, name } of started.filter(({ isWatched }) => !isWatched)) {
    const module = relativeImport(mainFile, controllerFile(model, name, project));
    const line = text.split("\n").find((line) => line.startsWith("import ") && line.endsWith(` from "${module}";`));
    const [local = ""] = line?.split(" } from ")[0]?.split(/\W/).slice(-1) ?? [];
    const call = new RegExp(`^ *await new ${local}\\(.*\\n`, "m");
    if (line === undefined || local === "" || !call.test(text)) continue;
    text = text.replace(`${line}\n`, "").replace(call, "");
    notes.push(
      `${mainFile} doesn't start ${controllerClass(model.kind, name)}: the role markers of the Go operator don't let it list and watch ${model.plural}. If another program of the Go project runs it, start it in a program of its own; otherwise add the role markers, and start it in ${mainFile}`,
    );
  }
  return { text, notes };
}

/** Returns the permissions in the rules of roles that are written by hand. */
export function permissionsInRoles(text: string): Permission[] {
  return readableValues(text).flatMap((value) => {
    const { rules, metadata } = mapOf(value);
    const { namespace } = mapOf(metadata);
    return (Array.isArray(rules) ? rules : []).map((rule) => {
      const { apiGroups, resources, verbs } = mapOf(rule);
      return {
        ...{ groups: textsOf(apiGroups), resources: textsOf(resources), verbs: textsOf(verbs) },
        namespace: typeof namespace === "string" ? namespace : "",
        roleName: undefined,
      };
    });
  });
}

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
