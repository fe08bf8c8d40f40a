import type { StoredWrite } from "@kubewright/apiserver";
import type { KubernetesObject } from "../../api/index.ts";
import { isOperator } from "../world/state.ts";

/**
 * Finds children that the cluster deletes because somebody has deleted their owner, also before the upgrade. A process that starts with
 * an old state can set such an owner, in any version.
 */
export class DeletedOwners {
  readonly #uids = new Set<string>();

  /**
   * Notes a write.
   *
   * @param write - the write
   * @param actor - its author
   * @returns whether it deletes such a child
   */
  deletesChild({ before, after }: StoredWrite, actor: string): boolean {
    if (before === undefined || after !== undefined) return false;
    const { uid = "", ownerReferences = [] } = (before as unknown as KubernetesObject).metadata ?? {};
    if (actor === "cluster") return ownerReferences.some((owner) => this.#uids.has(owner.uid));
    if (!isOperator(actor)) this.#uids.add(uid);
    return false;
  }
}
