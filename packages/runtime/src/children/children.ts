import type { KubernetesObject } from "../api/index.ts";
import { groupKind, type Kind } from "../api/kind.ts";
import { CachedClient } from "../cache/cached-client.ts";
import type { ShardUse } from "../cache/shard-keys.ts";
import type { Client, Stored } from "../client/client.ts";
import { DelegatingClient } from "../client/wrappers/delegate.ts";
import { defaultFieldManager } from "../client/wrappers/with-options.ts";
import { systemClock } from "../clock/clock.ts";
import type { Context } from "../reconcile/context.ts";
import { ClientReader } from "./child-reader.ts";
import { Contention } from "./contention.ts";
import { type Declaration, declare, declaredKinds } from "./declaration.ts";
import { deleteOwner } from "./delete-owner.ts";
import { type ChildrenHost, ManagerLink } from "./manager-link.ts";
import { observed } from "./observed-run.ts";
import type { Outcome } from "./outcome.ts";
import { OwnerSet } from "./owner-set.ts";
import { reconcileChildren } from "./reconcile-children.ts";
import { recordEvents } from "./record-events.ts";
import { isReady, type Reported, readinessOf, setStatus, throwIfFailed } from "./report.ts";
import { limiter, type Memory, type Run } from "./run.ts";
import type {
  ChildAction,
  ChildEntries,
  ChildResult,
  ChildrenOptions,
  ReconciledChildren,
  StoredChildren,
  WantedChildren,
} from "./types.ts";
import { readInputs } from "./wanted.ts";

/** The declarations that controllers manage, by the client of their manager. */
const managed = new WeakMap<Client, readonly Declaration[]>();
/** Number of requests at a time in one reconcile. */
const concurrency = 8;

/**
 * The children of a kind, as {@link childrenOf} declares them. A controller declares them with `.manages(…)`.
 */
export class Children<O extends KubernetesObject = KubernetesObject, E extends ChildEntries = ChildEntries> {
  readonly #declaration: Declaration;
  /** The controllers that manage the children, by the client of their manager. */
  readonly #links = new WeakMap<Client, ManagerLink>();
  readonly #memories = new WeakMap<object, Memory>();

  /**
   * Creates a declaration. Use {@link childrenOf} instead.
   *
   * @param owner - the kind of the owner
   * @param entries - the kinds of the children
   * @param options - see {@link ChildrenOptions}
   * @throws TypeError if the declaration isn't valid
   */
  constructor(owner: Kind<O>, entries: E, options?: ChildrenOptions<E>) {
    this.#declaration = declare(owner as Kind, entries, options as ChildrenOptions<ChildEntries> | undefined);
  }

  /** The kind of the owner. */
  get owner(): Kind<O> {
    return this.#declaration.owner as Kind<O>;
  }

  /**
   * Applies the wanted children, prunes those that aren't wanted anymore, and returns their state. A reconcile without a change
   * sends no request.
   *
   * The first child outside of owner references adds labels and a finalizer to the owner. The metadata of `owner` is then updated,
   * so that later writes don't fail with a conflict.
   *
   * @param ctx - the context of the reconcile
   * @param client - the client of the manager, or in tests a `fakeClient`
   * @param owner - the owner as it was read
   * @param wanted - the value of each entry
   * @returns the stored children, and what happened to each of them; see {@link ReconciledChildren}
   * @throws TypeError if a wanted value isn't valid
   * @throws Error if the client reads from a cache, but no controller of its manager declares the children with `.manages(…)`
   * @throws the reason of `ctx.signal` if it is aborted
   *
   * @example
   * const gameChildren = childrenOf(Game, { config: ConfigMap });
   * const { children, setStatus, throwIfFailed } = await gameChildren.reconcile(ctx, client, game, {
   *   config: { data: { players: String(game.spec.players) } },
   * });
   * await patchStatus(client, game, (copy) => {
   *   copy.status = { ...copy.status, phase: children.config ? "Configured" : "New" };
   *   setStatus(copy);
   * });
   * throwIfFailed();
   */
  async reconcile(
    ctx: Context,
    client: Client,
    owner: Stored<O>,
    wanted: WantedChildren<E>,
  ): Promise<ReconciledChildren<E>> {
    const declaration = this.#declaration;
    this.#checkOwner(owner);
    const inputs = readInputs(declaration, wanted);
    const plain = this.#newRun(ctx, client, owner);
    const observer = plain.link?.observer?.begin({ ...plain, inputs });
    const run = observer ? observed(plain, observer) : plain;
    ctx.signal.throwIfAborted();
    const isDeleted = run.set.isDeleted;
    const outcomes = isDeleted ? await deleteOwner(run, inputs) : await reconcileChildren(run, inputs);
    // Its last writes failed because of it.
    ctx.signal.throwIfAborted();
    observer?.ended(outcomes);
    const reported = this.#report(run, outcomes);
    const results = reported.map(resultOf);
    recordEvents(run, reported);
    run.link?.report(run.set, results);
    const at = `${declaration.owner.kind} ${run.set.name}`;
    return {
      ready: !isDeleted && isReady(reported),
      children: this.#stored(reported),
      results,
      setStatus: (copy) => !isDeleted && setStatus(copy, reported, run.clock.date()),
      throwIfFailed: () => throwIfFailed(at, reported),
    };
  }

  /**
   * Connects the children to a controller. Called by `.manages(…)` of its builder.
   *
   * @param host - the manager
   * @param controller - name of the controller
   * @param count - counts the actions
   * @param shard - how the children are divided among replicas, if they share the objects
   * @returns the source of the children's events
   * @throws Error if another controller of the manager manages the children, or a declaration with the same field manager
   * @internal
   */
  manage(
    host: ChildrenHost,
    controller: string,
    count: (child: string, action: ChildAction) => void,
    shard?: ShardUse,
  ): ManagerLink {
    const { client } = host;
    const { owner } = this.#declaration;
    const other = this.#links.get(client);
    if (other) throw new Error(`children of ${owner.kind} are already managed by the controller ${other.controller}`);
    const { fieldOwner } = this.#declaration;
    if (this.#siblings(client).some((declaration) => declaration.fieldOwner === fieldOwner)) {
      throw new Error(
        `children of ${owner.kind}: two declarations have the fieldOwner ${fieldOwner} and would delete the children of each other: set another one`,
      );
    }
    const link = new ManagerLink(this.#declaration, host, controller, count, shard);
    this.#links.set(client, link);
    managed.set(client, [...(managed.get(client) ?? []), this.#declaration]);
    return link;
  }

  /**
   * Field manager of the applies, and the kinds of the children.
   *
   * @internal
   */
  get declared(): { readonly fieldOwner: string; readonly kinds: readonly Kind[] } {
    return { fieldOwner: this.#declaration.fieldOwner, kinds: declaredKinds(this.#declaration) };
  }

  /** The other declarations for the owner that controllers of a manager manage. */
  #siblings(client: Client | undefined): Declaration[] {
    const own = this.#declaration;
    const all = (client && managed.get(client)) ?? [];
    return all.filter((other) => other !== own && groupKind(other.owner) === groupKind(own.owner));
  }

  #checkOwner(owner: KubernetesObject): void {
    const { kind, group } = this.#declaration.owner;
    const ownGroup = owner?.apiVersion?.includes("/") ? owner.apiVersion.split("/")[0] : "";
    if (owner?.kind !== kind || ownGroup !== group || !owner.metadata?.uid) {
      throw new TypeError(`children of ${kind}: the owner must be a stored ${kind}, and is ${owner?.kind}`);
    }
  }

  #newRun(ctx: Context, client: Client, owner: Stored<KubernetesObject>): Run {
    const declaration = this.#declaration;
    const chain = DelegatingClient.chain(client);
    const link = chain.map((each) => this.#links.get(each)).find((managerLink) => managerLink !== undefined);
    if (!link && chain.some((each) => each instanceof CachedClient)) {
      throw new Error(
        `children of ${declaration.owner.kind}: the client reads from a cache without their field managers: call .manages(…) of the controller's builder`,
      );
    }
    const state = link ?? chain.at(-1) ?? client;
    const memory = this.#memories.get(state) ?? {
      contention: new Contention(),
      applies: new Map(),
      covered: new WeakMap(),
      anyKinds: new Map(),
    };
    this.#memories.set(state, memory);
    return {
      declaration,
      siblings: this.#siblings(link?.client),
      set: new OwnerSet(declaration.owner, owner),
      ctx,
      client,
      reader: link ?? new ClientReader(client),
      link,
      clock: link?.clock ?? systemClock,
      memory,
      migrateFrom: declaration.migrateFrom ?? [link?.observer?.defaultFieldManager ?? defaultFieldManager(client)],
      limit: limiter(concurrency),
    };
  }

  #report(run: Run, outcomes: readonly Outcome[]): Reported[] {
    const now = run.clock.date();
    const order = new Map([...this.#declaration.entries.keys()].map((name, index) => [name, index]));
    const position = ({ child }: Outcome): number => order.get(child) ?? order.size;
    return [...outcomes]
      .sort((a, b) => position(a) - position(b))
      .map((outcome) => {
        const { action, entry, object } = outcome;
        const hasState = object !== undefined && action !== "pruned";
        return { ...outcome, readiness: hasState ? readinessOf(entry, object, now) : undefined };
      });
  }

  #stored(reported: readonly Reported[]): StoredChildren<E> {
    const children: Record<string, unknown> = {};
    for (const [name, { isList }] of this.#declaration.entries) {
      const objects = reported
        .filter(({ child, action, isPrune }) => child === name && action !== "pruned" && !isPrune)
        .flatMap(({ object }) => object ?? []);
      children[name] = isList ? objects : objects[0];
    }
    return children as StoredChildren<E>;
  }
}

function resultOf({ child, kind, namespace, name, action, message, readiness }: Reported): ChildResult {
  return {
    child,
    kind,
    namespace,
    name,
    action,
    ready: readiness?.ready ?? false,
    ...(message || readiness?.message ? { message: message ?? readiness?.message } : {}),
  };
}

/**
 * Declares the children of a kind. A reconciler passes their wanted state to {@link Children.reconcile} as plain data.
 *
 * @param owner - the kind of the owner
 * @param entries - the kind of each child by a name of your choice: `[Kind]` for a list, `[AnyKind]` for a list of several kinds
 * @param options - see {@link ChildrenOptions}
 * @returns the declaration
 * @throws TypeError if the declaration isn't valid, for example because of a cycle in `after`
 *
 * @example
 * const gameChildren = childrenOf(Game, { config: ConfigMap, deployment: Deployment }, {
 *   entries: { deployment: { after: ["config"] } },
 * });
 * await newControllerManagedBy(mgr).for(Game).manages(gameChildren).complete(new GameReconciler(mgr.client));
 */
export function childrenOf<O extends KubernetesObject, const E extends ChildEntries>(
  owner: Kind<O>,
  entries: E,
  options?: ChildrenOptions<E>,
): Children<O, E> {
  return new Children<O, E>(owner, entries, options);
}
