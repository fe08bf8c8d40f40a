import { createHash, randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { unifiedDiff } from "../generate/output/diff.ts";
import { applyPlan } from "../scaffold/files/apply.ts";
import { insidePath } from "../scaffold/files/inside.ts";
import { withLock } from "../scaffold/files/lock.ts";
import type { Operation } from "../scaffold/files/operation.ts";
import { Failure } from "./failure.ts";

/** How long a plan is valid, in milliseconds. */
const validTime = 10 * 60_000;
/** The maximum number of plans that are kept. */
const mostPlans = 20;

/** The kind of a change, and its file. */
type Change = Pick<Operation, "op" | "path">;

/** An operation of a dry run, with the content in base64. */
export interface EncodedOperation extends Change {
  readonly content?: string;
}

/** An operation with the difference that it makes. */
export interface PlannedOperation extends Change {
  /** A unified diff. Absent for binary files. */
  readonly diff?: string;
}

/** The changes of a command, before they are written. */
export interface StoredPlan {
  readonly id: string;
  /** RFC 3339. */
  readonly expires: string;
  /** Whether a file is deleted or overwritten by force. */
  readonly destructive: boolean;
  readonly commandLine: string;
  readonly operations: readonly PlannedOperation[];
}

interface Kept extends StoredPlan {
  readonly contents: readonly Operation[];
  /** The state of each file of the plan. */
  readonly states: ReadonlyMap<string, string>;
}

/** The plans of a server: each is valid for ten minutes and for one call. */
export class Plans {
  readonly #root: string;
  readonly #plans = new Map<string, Kept>();

  /** @param root - the directory of the project */
  constructor(root: string) {
    this.#root = root;
  }

  /** Keeps the operations of a dry run. */
  add(encoded: readonly EncodedOperation[], commandLine: string, isForced: boolean): StoredPlan {
    const contents = encoded.map(
      ({ op, path, content = "" }): Operation =>
        op === "delete" ? { op, path } : { op, path, content: Buffer.from(content, "base64") },
    );
    const plan: Kept = {
      id: randomUUID(),
      expires: new Date(Date.now() + validTime).toISOString(),
      destructive: isForced || contents.some(({ op }) => op === "delete"),
      commandLine,
      operations: contents.map((operation) => this.#described(operation)),
      contents,
      states: new Map(contents.map(({ path }) => [path, this.#stateOf(path)])),
    };
    this.#plans.set(plan.id, plan);
    for (const id of [...this.#plans.keys()].slice(0, -mostPlans)) this.#plans.delete(id);
    return plan;
  }

  /**
   * Returns a plan that can be applied.
   *
   * @throws Failure for an unknown, used, expired or outdated plan
   */
  get(id: string): StoredPlan {
    return this.#current(id);
  }

  /**
   * Writes the operations of a plan, all or none, and forgets the plan.
   *
   * @throws Failure if the plan can't be applied
   */
  async apply(id: string, signal: AbortSignal): Promise<readonly Change[]> {
    this.#current(id);
    return withLock(
      this.#root,
      async () => {
        const { contents } = this.#current(id);
        this.#plans.delete(id);
        await applyPlan({ root: this.#root, operations: contents, kept: [], overwritten: [] }, { signal });
        return contents.map(({ op, path }) => ({ op, path }));
      },
      { signal },
    );
  }

  #current(id: string): Kept {
    const plan = this.#plans.get(id);
    if (plan === undefined || Date.parse(plan.expires) < Date.now()) {
      this.#plans.delete(id);
      throw new Failure("unknown-plan", "the plan doesn't exist, was applied, or has expired", "call scaffold again");
    }
    const changed = [...plan.states].find(([path, state]) => this.#stateOf(path) !== state)?.[0];
    if (changed === undefined) return plan;
    this.#plans.delete(id);
    throw new Failure("plan-outdated", `${changed} has changed since the plan`, "call scaffold again");
  }

  #stateOf(path: string): string {
    const full = insidePath(this.#root, path);
    return existsSync(full) ? createHash("sha256").update(readFileSync(full)).digest("hex") : "";
  }

  #described(operation: Operation): PlannedOperation {
    const { op, path } = operation;
    const full = join(this.#root, path);
    const before = existsSync(full) ? readFileSync(full) : undefined;
    const after = operation.op === "delete" ? undefined : Buffer.from(operation.content as Uint8Array);
    if (before?.includes(0) || after?.includes(0)) return { op, path };
    const texts = {
      ...(before === undefined ? {} : { before: before.toString("utf8") }),
      ...(after === undefined ? {} : { after: after.toString("utf8") }),
    };
    return { op, path, diff: unifiedDiff([{ path, action: op, ...texts }], (name) => name) };
  }
}
