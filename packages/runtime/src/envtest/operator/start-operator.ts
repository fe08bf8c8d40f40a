import type { KubernetesObject } from "../../api/index.ts";
import { groupOf } from "../../api/kind.ts";
import type { Config } from "../../config/config.ts";
import { isNoMatch } from "../../errors/no-match-error.ts";
import type { Inspector } from "../../inspect/inspector.ts";
import { createLogger } from "../../log/create-logger.ts";
import type { Logger } from "../../log/logger.ts";
import type { Manager } from "../../manager/manager.ts";
import { eventually } from "../../testing/eventually.ts";
import { permissionLogger } from "./permission-logger.ts";
import { Program } from "./program.ts";

/** Options of {@link startOperator}. */
export interface StartOperatorOptions {
  /** Connection and user of the operator. See {@link TestEnvironment.addUser}. */
  config: Config;
  /**
   * Logger of the manager.
   *
   * @defaultValue a logger that writes to the standard error
   */
  logger?: Logger;
  /**
   * Flags of the operator.
   *
   * @defaultValue none
   */
  args?: readonly string[];
  /**
   * Environment variables of the operator, in addition to those of this process. Webhooks are off (`ENABLE_WEBHOOKS`), unless this
   * sets them: an API server calls them only with `webhookInstallOptions`.
   *
   * @defaultValue none
   */
  env?: Readonly<Record<string, string>>;
  /**
   * Time limit of each wait in milliseconds.
   *
   * @defaultValue 60000
   */
  timeout?: number;
}

/** An operator has settled if it has nothing to do for this time, in milliseconds. */
const idleTime = 500;
/** How often a reconcile that fails is repeated. Longer waits between its attempts than {@link idleTime} follow. */
const repeated = 7;

/** An operator that {@link startOperator} has started. */
export class TestedOperator {
  readonly #program: Program;
  readonly #timeout: number;
  readonly #managers: Manager[] = [];
  #failure: Error | undefined;

  /** @internal */
  constructor(program: Program, timeout: number) {
    this.#program = program;
    this.#timeout = timeout;
  }

  /**
   * Loads the program, and waits until its caches are filled.
   *
   * @internal
   */
  async start(main: () => Promise<unknown>, options: StartOperatorOptions): Promise<void> {
    const { config, args = [], env = {}, logger = createLogger() } = options;
    const fail = (error: Error): void => {
      this.#failure ??= error;
    };
    const observed = permissionLogger(logger, (marker) => fail(new Error(`missing permission: ${marker}`)));
    try {
      await this.#program.load(main, {
        config,
        args,
        env: { ENABLE_WEBHOOKS: "false", ...env },
        // The servers and the Lease of a manager aren't part of its role, and would collide with others.
        options: (theirs) => ({
          ...theirs,
          logger: observed,
          inspect: theirs.inspect || true,
          leaderElection: false,
          metrics: { ...theirs.metrics, bindAddress: "0" },
          healthProbeBindAddress: "0",
          pprofBindAddress: "0",
        }),
        started: (manager) => this.#managers.push(manager),
        ended: fail,
      });
      await this.#wait(() => {
        if (this.#managers.length === 0) throw new Error("the operator hasn't started its manager");
        for (const { informer } of this.#managers.flatMap(({ cache }) => cache.informers())) {
          // The API server has no CRD of an external kind: its reconciles can't be tested.
          if (informer.hasSynced || isNoMatch(informer.lastError)) continue;
          throw new Error(`the cache of ${informer.kind.kind} isn't filled`, { cause: informer.lastError });
        }
      });
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /**
   * Waits until the operator has reconciled objects, and has nothing more to do: no reconcile runs, waits or is repeated because
   * of an error. A reconcile that has failed eight times for another reason than a permission is accepted, because a test doesn't
   * need the external systems of an operator. Its work after the error isn't tested then.
   *
   * @param objects - objects that must have been reconciled, unless no controller is for their kind
   * @throws Error with the marker of a missing permission
   * @throws Error if the operator doesn't watch the namespace of an object
   * @throws Error after the time limit
   */
  async settled(objects: readonly KubernetesObject[] = []): Promise<void> {
    for (const object of objects) this.#requireWatched(object);
    await this.#wait(() => {
      for (const object of objects) for (const inspector of this.#inspectors()) requireReconciled(inspector, object);
    });
    let [idleSince, before] = [Number.POSITIVE_INFINITY, -1];
    await this.#wait(() => {
      const controllers = this.#inspectors().flatMap((inspector) => inspector.controllers());
      const total = controllers.reduce((sum, controller) => sum + controller.total, 0);
      const busy = controllers.find(
        ({ depth, active, delayed }) =>
          depth + active.length > 0 || delayed.some(({ attempts }) => attempts > 0 && attempts <= repeated),
      );
      if (busy !== undefined || total !== before) idleSince = performance.now();
      before = total;
      if (busy !== undefined) throw new Error(`the controller ${busy.name} still reconciles${lastError(busy)}`);
      if (performance.now() - idleSince < idleTime) throw new Error("the operator still reconciles");
    });
  }

  /** Stops the operator. */
  stop(): Promise<void> {
    return this.#program.stop();
  }

  /** Throws an error if the operator watches the kind of an object, but not its namespace. */
  #requireWatched({ apiVersion, kind, metadata }: KubernetesObject): void {
    const { namespace, name } = metadata ?? {};
    if (namespace === undefined) return;
    const informers = this.#managers
      .flatMap(({ cache }) => cache.informers())
      .filter(({ informer }) => informer.kind.kind === kind && informer.kind.group === groupOf(apiVersion));
    if (informers.length === 0 || informers.some(({ informer }) => informer.covers(namespace))) return;
    throw new Error(
      `${kind} ${namespace}/${name} can't be reconciled: the operator doesn't watch the namespace ${namespace}. Remove the namespace from the object, or watch it`,
    );
  }

  #inspectors(): Inspector[] {
    return this.#managers.flatMap(({ inspector }) => inspector ?? []);
  }

  /** Repeats a check until it passes, unless the operator has failed. */
  async #wait(check: () => void): Promise<void> {
    const isFinal = () => this.#failure !== undefined;
    const checked = eventually(
      () => {
        if (this.#failure) throw this.#failure;
        check();
      },
      { timeout: this.#timeout, isFinal },
    );
    await checked.catch((error: unknown) => {
      throw this.#failure ?? error;
    });
  }
}

function lastError({ errorsByMessage }: { readonly errorsByMessage: readonly { readonly message: string }[] }): string {
  const message = errorsByMessage.at(-1)?.message;
  return message === undefined ? "" : `, with the error: ${message}`;
}

/** Throws an error unless each controller of an object's kind has reconciled it, with or without an error. */
function requireReconciled(inspector: Inspector, { apiVersion, kind, metadata }: KubernetesObject): void {
  const { namespace = "", name = "" } = metadata ?? {};
  const group = groupOf(apiVersion);
  const records = inspector.reconciles({ apiVersion, kind, namespace, name, limit: 1000 });
  for (const controller of inspector.controllers()) {
    if (controller.kind !== kind || groupOf(controller.apiVersion ?? "") !== group) continue;
    if (records.some((record) => record.controller === controller.name)) continue;
    throw new Error(
      `the controller ${controller.name} hasn't reconciled ${kind} ${namespace ? `${namespace}/` : ""}${name}`,
    );
  }
}

/**
 * Runs the program of an operator in this process, with the permissions of a user. Its leader election, metrics and probes are off.
 * It resolves when the caches of all kinds that the API server serves are filled. A program can be started once per process,
 * because modules are loaded once.
 *
 * @param main - loads the program, such as `() => import("../src/main.ts")`
 * @param options - see {@link StartOperatorOptions}
 * @returns the running operator
 * @throws Error with the marker of a missing permission, or if the program ends
 *
 * @example
 * const config = await environment.addUser("manager", [], { rolePaths: ["config/rbac/role.yaml"] });
 * const operator = await startOperator(main, { config });
 * await operator.settled(await environment.createObjects(["config/samples"]));
 * await operator.stop();
 */
export async function startOperator(
  main: () => Promise<unknown>,
  options: StartOperatorOptions,
): Promise<TestedOperator> {
  const operator = new TestedOperator(new Program(), options.timeout ?? 60_000);
  await operator.start(main, options);
  return operator;
}
