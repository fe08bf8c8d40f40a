import type { StoredWrite } from "@kubewright/apiserver";
import { fieldDifferences, pathText } from "../../json/field-path.ts";
import { ofUpgrade, type Violation } from "../report/verdict.ts";
import { idOf, titleOf } from "../world/state.ts";

/** The last version that has changed a field, and its value before. */
interface LastChange {
  readonly version: string;
  readonly before: string;
  readonly returns: number;
}

/** Finds out whether two versions that run at the same time both do the work of the leader. */
export class Fights {
  #moves = 0;
  /** The number of moves of the lease at the last write of each version. */
  readonly #wrote = new Map<string, number>();
  readonly #changes = new Map<string, LastChange>();

  /** Notes that another process holds the lease. */
  moved(): void {
    this.#moves++;
  }

  /**
   * Notes a write that a version sends in a reconcile.
   *
   * @param version - the version
   * @param what - what it writes
   */
  sends(version: string, what: string): Violation | undefined {
    this.#wrote.set(version, this.#moves);
    const other = [...this.#wrote].find(([name, moves]) => name !== version && moves === this.#moves);
    if (!other) return undefined;
    return {
      invariant: ofUpgrade.fight,
      message: `${version} writes ${what}, and so did ${other[0]}, although the lease hasn't moved`,
    };
  }

  /**
   * Notes a write that has changed an object.
   *
   * @param version - the version that has sent it
   * @param write - the write
   */
  wrote(version: string, write: StoredWrite): Violation | undefined {
    if (!write.before || !write.after) return undefined;
    for (const { steps, before, after } of fieldDifferences(write.before, write.after)) {
      const path = pathText(steps);
      const at = `${idOf(write, write)} ${path}`;
      const last = this.#changes.get(at);
      const [old, now] = [JSON.stringify(before) ?? "none", JSON.stringify(after) ?? "none"];
      const isReturn = last !== undefined && last.version !== version && last.before === now;
      const returns = (last?.returns ?? 0) + (isReturn ? 1 : 0);
      this.#changes.set(at, { version, before: old, returns });
      if (returns <= this.#moves) continue;
      return {
        invariant: ofUpgrade.fight,
        message: `${titleOf(write)} ${path}: ${last?.version} and ${version} set it in turn to ${old} and ${now}`,
      };
    }
    return undefined;
  }
}
