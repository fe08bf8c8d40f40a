import { controllerFile, controllersOf } from "../../project/controllers.ts";
import { conversionFile, samplePath, typesFile, webhookFile } from "../../project/paths.ts";
import { modelOf, type Project } from "../../project/project-file.ts";
import type { Resource } from "../../project/resource.ts";
import type { Tree } from "../files/tree.ts";
import { type CodePart, type GoFunction, goFunctions } from "./go-functions.ts";
import type { GoFile } from "./left-behind.ts";

/** Code that isn't converted. */
export interface Task {
  /** The Go function, such as `Reconcile`; undefined if none was found. */
  readonly name?: string;
  /** Its place, such as `internal/controller/game_controller.go:57`. */
  readonly at?: string;
  /** The file of the new project in which it belongs; undefined if it has no skeleton for it. */
  readonly file?: string;
}

/** The result for a kind. */
export interface KindReport {
  readonly group: string;
  readonly kind: string;
  readonly versions: readonly string[];
  /** The parts that the new project has: `types`, `sample`, and skeletons such as `controller`. */
  readonly converted: readonly string[];
  readonly byHand: readonly Task[];
}

/** The result of a migration. */
export interface MigrationReport {
  readonly kinds: readonly KindReport[];
  /** Code for which the new project has no skeleton. */
  readonly other: readonly Task[];
}

/** A part of the new project that contains a skeleton for Go code. */
interface Skeleton {
  readonly part: CodePart;
  readonly resource: Resource;
  readonly file: string;
  /** The name of a controller. */
  readonly name?: string;
}

/** Compares the new project with the Go code: which parts it has for each kind, and which functions are left to write. */
export function reportOf(project: Project, draft: Tree, files: readonly GoFile[]): MigrationReport {
  const has = (path: string) => draft.read(path) !== undefined;
  const skeletons = skeletonsOf(project).filter(({ file }) => has(file));
  const functions = goFunctions(files);
  const places = new Map(functions.map((goFunction) => [goFunction, skeletonOf(goFunction, skeletons)]));
  const kinds = new Map<string, KindReport>();
  for (const entry of project.resources) {
    const model = modelOf(entry);
    const key = `${model.qualifiedGroup} ${model.kind}`;
    const before = kinds.get(key);
    const own = skeletons.filter(({ resource }) => isSame(resource, model));
    const parts = [
      ...(has(typesFile(model, project)) && model.origin === "own" ? ["types"] : []),
      ...(has(samplePath(model)) ? ["sample"] : []),
      ...own.map(({ part }) => part),
    ];
    kinds.set(key, {
      group: model.qualifiedGroup,
      kind: model.kind,
      versions: [...(before?.versions ?? []), model.version],
      converted: [...new Set([...(before?.converted ?? []), ...parts])],
      byHand: [...(before?.byHand ?? []), ...own.flatMap((skeleton) => tasksOf(skeleton, places))],
    });
  }
  const other = functions.filter((goFunction) => places.get(goFunction) === undefined).map(taskOf);
  return { kinds: [...kinds.values()], other };
}

function skeletonsOf(project: Project): Skeleton[] {
  return project.resources.flatMap((entry) => {
    const resource = modelOf(entry);
    const { defaulting, validation, conversion } = entry.webhooks ?? {};
    const isAdmitted = defaulting === true || validation === true;
    return [
      ...controllersOf(entry).map((name) => ({
        ...({ part: "controller", resource, name } as const),
        file: controllerFile(resource, name, project),
      })),
      ...(isAdmitted ? [{ part: "webhook", resource, file: webhookFile(resource, project) } as const] : []),
      // The hub has no conversion of its own.
      ...(conversion === true
        ? []
        : [{ part: "conversion", resource, file: conversionFile(resource, project) } as const]),
    ];
  });
}

/** Returns the functions of a skeleton; if there are none, the skeleton itself is the task. */
function tasksOf(skeleton: Skeleton, places: ReadonlyMap<GoFunction, Skeleton | undefined>): Task[] {
  const found = [...places].filter(([, place]) => place === skeleton).map(([goFunction]) => goFunction);
  return found.length === 0
    ? [{ file: skeleton.file }]
    : found.map((goFunction) => ({ ...taskOf(goFunction), file: skeleton.file }));
}

function taskOf({ name, file, line }: GoFunction): Task {
  return { name, at: `${file}:${line}` };
}

/** Returns the skeleton for a function; undefined if the code names none, or several. */
function skeletonOf(goFunction: GoFunction, skeletons: readonly Skeleton[]): Skeleton | undefined {
  const ofPart = skeletons.filter(({ part }) => part === goFunction.part);
  for (const names of goFunction.kinds) {
    const found = ofPart.filter(({ resource: { kind }, name }) =>
      names.some((one) => one === kind || isLike(one, kind, name)),
    );
    const near = found.length < 2 ? found : nearest(goFunction, found);
    if (near.length === 1) return near[0];
  }
  return undefined;
}

/** Whether a name in lowercase is that of a kind or a controller. */
function isLike(lowercase: string, kind: string, controller: string | undefined): boolean {
  return lowercase !== "" && (lowercase === kind.toLowerCase() || lowercase === controller?.replaceAll("-", ""));
}

/** Of skeletons for one kind, returns those whose version or group is in the path of the Go file, and whose name is that of the code. */
function nearest({ file, kinds }: GoFunction, found: readonly Skeleton[]): readonly Skeleton[] {
  const parts = file.split("/").slice(0, -1);
  const rules: ((skeleton: Skeleton) => boolean)[] = [
    ({ resource }) => parts.includes(resource.group) || parts.includes(resource.group.split(".")[0] ?? ""),
    ({ resource }) => parts.includes(resource.version),
    ({ resource, name }) => kinds.flat().some((one) => name !== undefined && isLike(one, resource.kind, name)),
  ];
  return rules.reduce((before, rule) => {
    const after = before.filter(rule);
    return before.length > 1 && after.length > 0 ? after : before;
  }, found);
}

const isSame = (a: Resource, b: Resource): boolean =>
  a.qualifiedGroup === b.qualifiedGroup && a.kind === b.kind && a.version === b.version;

const indent = "  ";

/** Returns the report as text. */
export function reportText({ kinds, other }: MigrationReport): string[] {
  const lines = kinds.flatMap(({ group, kind, versions, converted, byHand }) => [
    `${kind} (${group === "" ? versions.join(", ") : `${group}/${versions.join(", ")}`}): ${converted.length === 0 ? "nothing" : converted.join(", ")}`,
    ...byHand.map((task) => indent + taskText(task)),
  ]);
  if (other.length === 0) return lines;
  return [...lines, "code without a skeleton in the new project:", ...other.map((task) => indent + taskText(task))];
}

function taskText({ name, at, file }: Task): string {
  if (name === undefined) return `${file}: no Go code was found for it`;
  return `${at}: ${name}${file === undefined ? "" : ` -> ${file}`}`;
}
