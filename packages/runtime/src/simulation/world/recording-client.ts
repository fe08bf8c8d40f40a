import type { KubernetesObject } from "../../api/index.ts";
import type { Kind } from "../../api/kind.ts";
import type { Client, List, ListOptions, ObjectKey, ReadOptions, Stored, WholeObjects } from "../../client/client.ts";
import { DelegatingClient } from "../../client/wrappers/delegate.ts";
import { isNotFound } from "../../errors/predicates.ts";
import type { Actor } from "../schedule/actor.ts";
import type { RunWorld } from "./run-world.ts";
import { idOf, titleOf } from "./state.ts";

/** Records what the operator reads. */
export class RecordingClient extends DelegatingClient {
  readonly #actor: Actor;
  readonly #world: RunWorld;

  /**
   * @param inner - the client of the operator
   * @param actor - the process
   * @param world - the run
   */
  constructor(inner: Client, actor: Actor, world: RunWorld) {
    super(inner);
    this.#actor = actor;
    this.#world = world;
  }

  protected override async getObject<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options?: ReadOptions,
  ): Promise<Stored<T>> {
    try {
      const object = await this.inner.get(kind, key, options as WholeObjects);
      this.#record(kind, key, object.metadata.resourceVersion);
      return object;
    } catch (error) {
      if (isNotFound(error)) this.#record(kind, key, "");
      throw error;
    }
  }

  protected override async listObjects<T extends KubernetesObject>(
    kind: Kind<T>,
    options?: ListOptions,
  ): Promise<List<T>> {
    const list = await this.inner.list(kind, options as WholeObjects);
    const { items } = list;
    const names = items.slice(0, 5).map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`);
    const more = items.length > 5 ? ` and ${items.length - 5} more` : "";
    if (this.#actor.isEnded) return list;
    for (const { metadata } of items) this.#saw(idOf(kind, metadata), metadata.resourceVersion);
    const detail = `${items.length}: ${names.join(", ")}${more}`;
    this.#world.timeline.add(this.#actor.name, "list", kind.kind, "", detail);
    return list;
  }

  #record(kind: Kind, key: ObjectKey, seen: string): void {
    if (this.#actor.isEnded) return;
    const { state, timeline } = this.#world;
    const current = state.revisionOf(kind, key);
    const title = titleOf({ kind: kind.kind, namespace: key.namespace ?? "", name: key.name });
    this.#saw(idOf(kind, key), seen);
    const detail = seen === current ? "" : `stale: the server has ${current === "" ? "none" : `revision ${current}`}`;
    timeline.add(this.#actor.name, "read", title, seen === "" ? "none" : seen, detail);
  }

  #saw(id: string, revision: string): void {
    const { sightings, state } = this.#world;
    sightings.read(this.#actor, id, state.seenRevision(id, revision));
  }
}
