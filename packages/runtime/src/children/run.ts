import type { KubernetesObject } from "../api/index.ts";
import type { Kind } from "../api/kind.ts";
import type { Client } from "../client/client.ts";
import type { Clock } from "../clock/clock.ts";
import type { Context } from "../reconcile/context.ts";
import type { ChildReader } from "./child-reader.ts";
import type { Contention } from "./contention.ts";
import type { Declaration } from "./declaration.ts";
import type { ManagerLink } from "./manager-link.ts";
import type { OwnerSet } from "./owner-set.ts";

/** The last apply of a child. */
export interface LastApply {
  readonly hash: string;
  readonly resourceVersion: string;
  /** The fields that the apply returned, if they don't cover the wanted ones: the server or a webhook has removed some. */
  readonly fields: string | undefined;
}

/** The state of children that a process keeps between reconciles. */
export interface Memory {
  readonly contention: Contention;
  /** The last applies, by owner and child. */
  readonly applies: Map<string, LastApply>;
  /** The hash of the wanted fields that the operator owns in a version of a child, so that they aren't compared again. */
  readonly covered: WeakMap<KubernetesObject, string>;
  /** The kinds of {@link AnyKind} that this process has seen. */
  readonly anyKinds: Map<string, Kind>;
}

/** One reconcile of the children of an owner. */
export interface Run {
  readonly declaration: Declaration;
  /** The other declarations for the same owner, if a manager manages them. */
  readonly siblings: readonly Declaration[];
  readonly set: OwnerSet;
  readonly ctx: Context;
  readonly client: Client;
  readonly reader: ChildReader;
  readonly link: ManagerLink | undefined;
  readonly clock: Clock;
  readonly memory: Memory;
  /** The field managers whose fields the first apply takes over. */
  readonly migrateFrom: readonly string[];
  /** Limits the number of requests at a time. */
  readonly limit: <T>(request: () => Promise<T>) => Promise<T>;
}

/** Returns a function that runs a limited number of requests at a time. */
export function limiter(most: number): Run["limit"] {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (request) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await request();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
