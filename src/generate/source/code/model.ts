// What code asks of an API server, as plain data without any compiler type.

import type { Position } from "../model.ts";

/** A kind as code names it. */
export interface KindRef {
  readonly kind: string;
  /** Absent for kinds of the runtime's API: then `module` has them. */
  readonly group?: string;
  readonly version?: string;
  /** The module of the runtime's API that declares it, such as `@kubewright/runtime/api/apps/v1`. */
  readonly module?: string;
  readonly plural?: string;
  readonly scope?: "Namespaced" | "Cluster";
}

/** What may be asked for: verbs of a resource or of one of its subresources. */
export interface Ask {
  readonly verbs: readonly string[];
  readonly subresource?: string;
  /** The name of the only object that is asked for, if the code names it. */
  readonly name?: string;
  /** Asked in some runs only: its lack is no mistake, and it is no right too many. */
  readonly maybe?: true;
  /** Asked for objects that aren't there yet, as an apply does: what a controller is called for is there. */
  readonly ifAbsent?: true;
}

/** One place that asks something of an API server. */
export interface Access {
  readonly at: Position;
  /** What is called there, such as `client.create` or `owns`. */
  readonly call: string;
  readonly kinds: readonly KindRef[];
  /** Where the trail of the kind ends; there may be kinds besides those that are known. */
  readonly unknown?: Position;
  readonly asks: readonly Ask[];
  /** A list and a watch that last as long as the manager. */
  readonly informer?: true;
  /** Goes by the cache where the kind has an informer. */
  readonly read?: true;
  /** All namespaces at once, as far as the place itself says. */
  readonly everywhere?: true;
}

/** All that the code of an operator asks of its API server. */
export interface Accesses {
  readonly accesses: readonly Access[];
  /** Where code hands a client on to what can't be read, or speaks to the server by other means. */
  readonly blind: readonly { readonly at: Position; readonly reason: string }[];
  /** The caches are of few namespaces. */
  readonly namespaced: boolean;
  /** The caches of some kinds hold chosen objects only, maybe by name. */
  readonly selects: boolean;
  /** Informers are started by reads, too. */
  readonly readsStartInformers: boolean;
  /** Owner references that block deletions are written by hand somewhere. */
  readonly blocksDeletion: boolean;
}
