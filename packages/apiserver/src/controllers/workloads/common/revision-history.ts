import { cloneJson, encodeSorted, equalJson, type JsonObject } from "@kubewright/cel/json";
import type { Informer } from "../../../client/informer.ts";
import type { SystemClient } from "../../../client/system-client.ts";
import type { ApiObject } from "../../../model/resource.ts";
import { StatusError } from "../../../model/status.ts";
import { selectorOfObject } from "../../../request/selector-object.ts";
import { claimObjects } from "./claims.ts";
import type { WorkloadContext } from "./context.ts";
import { encodeHash } from "./hash.ts";
import { byCreation, controllerOf, controllerReference, type PodTemplate, type Selector } from "./objects.ts";

const longestPrefix = 223;

/** A state of the template of a StatefulSet or DaemonSet. */
export interface ControllerRevision extends ApiObject {
  data: JsonObject & { spec: { template: PodTemplate } };
  revision: number;
}

/** A StatefulSet or DaemonSet. */
export interface Revised extends ApiObject {
  spec: JsonObject & { selector?: Selector; template: PodTemplate; revisionHistoryLimit?: number };
  status?: JsonObject & { collisionCount?: number };
}

/** Keeps the templates of StatefulSets or DaemonSets as ControllerRevisions. */
export class RevisionHistory {
  readonly #client: SystemClient;
  readonly #informer: Informer<ControllerRevision>;
  readonly #byOwner: (uid: string) => ControllerRevision[];

  /**
   * @param context - what the controllers share
   * @param client - writes for the controller
   */
  constructor(context: WorkloadContext, client: SystemClient) {
    this.#client = client;
    this.#informer = context.informer<ControllerRevision>("apps", "controllerrevisions");
    this.#byOwner = this.#informer.index((controllerRevision) => [
      controllerOf(controllerRevision)?.uid ?? `orphan ${controllerRevision.metadata.namespace}`,
    ]);
  }

  /** Returns the revisions of an object, the oldest first. */
  async list(owner: Revised): Promise<ControllerRevision[]> {
    const { uid, namespace } = owner.metadata;
    const candidates = [...this.#byOwner(uid as string), ...this.#byOwner(`orphan ${namespace}`)];
    const selector = selectorOfObject(owner.spec.selector);
    const revisions = await claimObjects(this.#client, this.#informer.type, owner, selector, candidates);
    return revisions.sort((a, b) => a.revision - b.revision || byCreation(a, b));
  }

  /**
   * Finds or creates the revision of the present template, as the newest one.
   *
   * @param owner - the object
   * @param revisions - its revisions, the oldest first
   * @param label - the label that holds the hash
   * @param collisionCount - how often the name was taken
   * @returns the revision, and how often the name was taken
   */
  async ensure(
    owner: Revised,
    revisions: readonly ControllerRevision[],
    label: string,
    collisionCount: number,
  ): Promise<{ revision: ControllerRevision; collisionCount: number }> {
    const data: JsonObject = { spec: { template: { ...cloneJson(owner.spec.template), $patch: "replace" } } };
    const next = (revisions.at(-1)?.revision ?? 0) + 1;
    const equal = revisions.findLast((controllerRevision) => equalJson(controllerRevision.data, data));
    if (equal !== undefined) {
      const revision = equal === revisions.at(-1) ? equal : await this.#renumber(equal, next);
      return { revision, collisionCount };
    }
    for (let collisions = collisionCount; ; collisions++) {
      const hash = encodeHash(fnv1(`${encodeSorted(data)}${collisions}`));
      const name = `${(owner.metadata.name as string).slice(0, longestPrefix)}-${hash}`;
      const { annotations } = owner.metadata;
      try {
        const created = await this.#client.create(this.#informer.type, {
          apiVersion: "apps/v1",
          kind: "ControllerRevision",
          metadata: {
            name,
            namespace: owner.metadata.namespace as string,
            labels: { ...owner.spec.template.metadata?.labels, [label]: hash },
            ...(annotations === undefined ? {} : { annotations }),
            ownerReferences: [controllerReference(owner)],
          },
          data,
          revision: next,
        });
        return { revision: created as ControllerRevision, collisionCount: collisions };
      } catch (error) {
        if (!(error instanceof StatusError && error.reason === "AlreadyExists")) throw error;
        const present = this.#informer.get(owner.metadata.namespace as string, name);
        const mine = present !== undefined && controllerOf(present)?.uid === owner.metadata.uid;
        if (mine && equalJson(present.data, data)) return { revision: present, collisionCount: collisions };
      }
    }
  }

  async #renumber({ metadata }: ControllerRevision, revision: number): Promise<ControllerRevision> {
    const id = { type: this.#informer.type, namespace: metadata.namespace as string, name: metadata.name as string };
    return (await this.#client.update(id, (object) => (object.revision = revision))) as ControllerRevision;
  }

  /**
   * Deletes the oldest revisions beyond the limit.
   *
   * @param owner - the object
   * @param revisions - its revisions, the oldest first
   * @param live - returns true for those in use
   */
  async truncate(
    owner: Revised,
    revisions: readonly ControllerRevision[],
    live: (revision: ControllerRevision) => boolean,
  ): Promise<void> {
    const unused = revisions.filter((revision) => !live(revision));
    const limit = owner.spec.revisionHistoryLimit ?? 10;
    for (const { metadata } of unused.slice(0, Math.max(0, unused.length - limit))) {
      const id = { type: this.#informer.type, namespace: metadata.namespace as string, name: metadata.name as string };
      await this.#client.delete(id, metadata.uid as string);
    }
  }
}

/** Returns the template of a revision. */
export function templateOf({ data }: ControllerRevision): PodTemplate {
  const { $patch: _patch, ...template } = data.spec.template;
  return template;
}

/** Hashes a text by FNV-1 with 32 bits. */
function fnv1(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = (Math.imul(hash, 0x01000193) ^ byte) >>> 0;
  return hash;
}
