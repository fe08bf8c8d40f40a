import type { KubernetesObject } from "../../api/index.ts";
import type { Kind } from "../../api/kind.ts";
import type { ObjectKey, Stored } from "../../client/client.ts";
import type { FaultName } from "../schedule/fault-names.ts";
import type { UserClient } from "./user-client.ts";

/** Functions of a system outside of the cluster, such as a cloud provider. */
// biome-ignore lint/suspicious/noExplicitAny: any function can be part of an external system.
export type External = Record<string, any>;

/** Options of a fault that a scenario injects. */
export interface FaultOptions {
  /**
   * The kind that the fault is about.
   *
   * @defaultValue any
   */
  kind?: Kind;
  /**
   * The object that the fault is about, for `hands` and `recreate`.
   *
   * @defaultValue the first suitable one
   */
  key?: ObjectKey;
  /**
   * Time in virtual milliseconds of faults that last: `stale`, `time`, `children`, `gc`; until the restart after a `crash`.
   *
   * @defaultValue 20000
   */
  for?: number;
}

/** The simulated world: an API server, its users and the operator, in one process with a virtual clock. */
export interface World {
  /** The client of a user. It reads from the server, and no fault happens to its requests. */
  readonly client: UserClient;
  /** The external system of the options. */
  readonly external: External;
  /** The systems of the option `externals`, by name. */
  readonly externals: Readonly<Record<string, External>>;
  /**
   * Resolves when nothing is left to do, except periodic work without effects: after 120 s of virtual time without a change,
   * or 1,100 s while reconciles fail. Checks run then.
   */
  settled(): Promise<void>;
  /**
   * Lets time pass.
   *
   * @param milliseconds - virtual time in milliseconds
   */
  advance(milliseconds: number): Promise<void>;
  /**
   * Returns an object as the server has it.
   *
   * @param kind - the kind
   * @param key - namespace and name
   * @returns the object, `undefined` if it doesn't exist
   */
  object<T extends KubernetesObject>(kind: Kind<T>, key: ObjectKey): Stored<T> | undefined;
  /**
   * Returns the objects of a kind as the server has them.
   *
   * @param kind - the kind
   * @returns the objects, in the order of their names
   */
  list<T extends KubernetesObject>(kind: Kind<T>): Stored<T>[];
  /** Ends all processes of the operator at once, and starts new ones. */
  restart(): Promise<void>;
  /**
   * Injects a fault at this point, in addition to those of the schedule. Without faults, it does nothing.
   *
   * @param name - the kind of fault; `conflict`, `lost` and `errors` happen to the next write
   * @param options - what it is about
   */
  fault(name: FaultName, options?: FaultOptions): Promise<void>;
  /**
   * Returns a number that the seed determines.
   *
   * @returns a number in [0, 1)
   */
  random(): number;
}
