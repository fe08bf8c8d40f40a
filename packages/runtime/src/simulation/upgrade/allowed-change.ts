import { groupOf, type Kind } from "../../api/kind.ts";
import { isWithin, type PathStep, parsePath } from "../../json/field-path.ts";

/** A change of an upgrade that is intended. It has either a path or an action. */
export interface AllowedChange {
  /** The kind of the objects. */
  kind: Kind;
  /**
   * The field that may change, with everything in it, such as `spec.template.spec.containers[*].image`,
   * `labels["example.com/x"]` or `status.conditions[type=Ready]`. `*` stands for any item or key.
   */
  path?: string;
  /** `replace`: an object may be created again. `leave`: an object may be left behind. */
  action?: "replace" | "leave";
  /**
   * The name of the objects, in which `*` stands for any characters.
   *
   * @defaultValue all objects of the kind
   */
  name?: string;
  /**
   * The names of the old versions.
   *
   * @defaultValue all versions
   */
  from?: readonly string[];
  /** Why the change is intended. */
  reason: string;
}

/** A change that an upgrade makes. */
export interface MadeChange {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  /** The names of the old versions. */
  readonly from: readonly string[];
  readonly path?: readonly PathStep[];
  readonly action?: "replace" | "leave";
}

interface Entry {
  readonly given: AllowedChange;
  readonly path: readonly string[] | undefined;
  readonly name: RegExp | undefined;
  isUsed: boolean;
}

/** The changes that a simulation allows, and whether an upgrade has made them. */
export class AllowedChanges {
  readonly #entries: readonly Entry[];

  /**
   * @param entries - the entries of the option `upgrade.allow`
   * @throws Error for an invalid entry
   */
  constructor(entries: readonly AllowedChange[] = []) {
    this.#entries = entries.map((given, index) => {
      try {
        return entryOf(given);
      } catch (error) {
        throw new Error(`upgrade.allow[${index}]: ${(error as Error).message}`);
      }
    });
  }

  /** Returns the reason why a change is allowed. Undefined if it isn't. */
  reasonFor(change: MadeChange): string | undefined {
    const entry = this.#entries.find((entry) => covers(entry, change));
    if (entry) entry.isUsed = true;
    return entry?.given.reason;
  }

  /** Returns a note for each entry that has allowed nothing. */
  unused(): string[] {
    return this.#entries
      .filter(({ isUsed }) => !isUsed)
      .map(({ given: { kind, path, action } }) => `unused: ${kind.kind} ${path ?? action}`);
  }
}

function entryOf(given: AllowedChange): Entry {
  const { kind, path, action, name, reason } = given;
  if (typeof kind?.kind !== "string") throw new Error("kind must be a kind, such as Deployment");
  if (typeof reason !== "string" || reason.trim() === "") throw new Error("reason must not be empty");
  if ((path === undefined) === (action === undefined)) throw new Error("must have either a path or an action");
  if (action !== undefined && action !== "replace" && action !== "leave") {
    throw new Error(`action ${JSON.stringify(action)}: must be replace or leave`);
  }
  return {
    given,
    path: path === undefined ? undefined : parsePath(path),
    name: name === undefined ? undefined : patternOf(name),
    isUsed: false,
  };
}

function patternOf(name: string): RegExp {
  const parts = name.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`);
}

function covers({ given, path, name }: Entry, change: MadeChange): boolean {
  const { kind, apiVersion } = given.kind;
  if (kind !== change.kind || groupOf(apiVersion) !== change.group) return false;
  if (name && !name.test(change.name)) return false;
  if (given.from && !change.from.every((one) => given.from?.includes(one))) return false;
  if (path) return change.path !== undefined && isWithin(change.path, path);
  return given.action === change.action;
}
