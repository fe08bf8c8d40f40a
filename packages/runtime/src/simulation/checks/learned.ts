import type { StoredWrite } from "@kubewright/apiserver";
import type { KubernetesObject } from "../../api/index.ts";
import type { Mark } from "../world/mark.ts";

/** The fields that lead to a value. An element of a list is identified by its name. */
export type FieldPath = readonly (string | { readonly name: string })[];

/** The writes of an operator without faults show which parts of objects belong to it. */
export class Learned {
  /** Fields of children that the operator maintains, because it changes them: their paths by their texts, by `group/kind`. */
  readonly maintained: Map<string, Map<string, FieldPath>> = new Map();
  /** Labels and finalizers that only the operator has set, by their ids, by `group/kind`. */
  readonly marks: Map<string, Map<string, Mark>> = new Map();
  /** The kinds whose objects report their state as Helm and Flux read it, as `group/kind`. */
  readonly kstatus: Set<string> = new Set();
  /** Whether a user deletes owners without their children. */
  orphans = false;
  readonly #ofOthers = new Set<string>();
  readonly #custom: ReadonlySet<string>;

  /** @param custom - the kinds with a definition, as `group/kind` */
  constructor(custom: ReadonlySet<string>) {
    this.#custom = custom;
  }

  /**
   * Takes a write over.
   *
   * @param write - the write
   * @param isOfOperator - whether a process of the operator has sent it
   */
  wrote(write: StoredWrite, isOfOperator: boolean): void {
    const type = `${write.group}/${write.kind}`;
    if (write.isDeletion) return;
    this.#learnMarks(type, write, isOfOperator);
    if (isOfOperator && !write.isNew) this.#learnFields(type, write);
  }

  #learnMarks(type: string, { before, after }: StoredWrite, isOfOperator: boolean): void {
    const had = new Set(marksOf(before as KubernetesObject | undefined).map(([id]) => id));
    const marks = this.marks.get(type) ?? new Map<string, Mark>();
    for (const [id, mark] of marksOf(after as KubernetesObject | undefined)) {
      if (had.has(id)) continue;
      if (!isOfOperator) {
        this.#ofOthers.add(`${type} ${id}`);
        marks.delete(id);
      } else if (!this.#ofOthers.has(`${type} ${id}`)) marks.set(id, mark);
    }
    if (marks.size > 0) this.marks.set(type, marks);
  }

  #learnFields(type: string, { before, after }: StoredWrite): void {
    if (this.#custom.has(type) || !before || !after) return;
    const fields = this.maintained.get(type) ?? new Map<string, FieldPath>();
    for (const part of ["spec", "data"]) collectChanges([part], before[part], after[part], fields);
    const labelsOf = (object: object): unknown => (object as KubernetesObject).metadata?.labels;
    collectChanges(["metadata", "labels"], labelsOf(before), labelsOf(after), fields);
    this.maintained.set(type, fields);
  }
}

function marksOf(object: KubernetesObject | undefined): [string, Mark][] {
  const { labels = {}, finalizers = [] } = object?.metadata ?? {};
  const marks: Mark[] = [
    ...Object.keys(labels).map((name) => ({ field: "labels", name }) as const),
    ...finalizers.map((name) => ({ field: "finalizers", name }) as const),
  ];
  return marks.map((mark) => [`${mark.field} ${mark.name}`, mark]);
}

/** Lists whose elements the server identifies by their names when it merges a patch. */
const namedLists: ReadonlySet<unknown> = new Set(["containers", "initContainers", "env"]);

type Fields = Readonly<Record<string, unknown>>;
type Named = Fields & { readonly name: string };

function collectChanges(path: FieldPath, before: unknown, after: unknown, changed: Map<string, FieldPath>): void {
  if (before === undefined || after === null) return;
  if (typeof after !== "object") {
    if (before !== after) changed.set(textOf(path), path);
  } else if (!Array.isArray(after)) {
    for (const [key, value] of Object.entries(after)) {
      // Annotations of templates can be requests, such as for a restart: nothing restores them.
      if (key.includes(".") && path[0] === "spec") continue;
      collectChanges([...path, key], (before as Fields | null)?.[key], value, changed);
    }
  } else if (namedLists.has(path.at(-1)) && Array.isArray(before)) {
    for (const item of after as Named[]) {
      const { name } = item;
      const previous = (before as Named[]).find((other) => other.name === name);
      collectChanges([...path, { name }], previous, item, changed);
    }
  }
}

function textOf(path: FieldPath): string {
  return path.reduce<string>((text, step) => {
    if (typeof step !== "string") return `${text}[${step.name}]`;
    return text === "" ? step : `${text}.${step}`;
  }, "");
}

/** Results of runs without faults in which somebody changes objects. */
export interface ProbeResults {
  /** Objects of the user that the operator keeps until other objects are deleted. */
  readonly inUse: ReadonlySet<string>;
  /** Labels and finalizers that the operator restores if somebody removes them, with their kinds. */
  readonly restored: ReadonlySet<string>;
}

/** Nothing was changed. */
export const nothingProbed: ProbeResults = { inUse: new Set(), restored: new Set() };
