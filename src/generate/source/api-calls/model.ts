// The API calls of an operator's code, as plain data without compiler types.

import type { Position } from "../model.ts";

/** A kind as it is named in code. */
export interface KindRef {
  readonly kind: string;
  /** Absent for kinds of the runtime's API, which have a `module`. */
  readonly group?: string;
  readonly version?: string;
  /** The module of the runtime's API that declares it, such as `@kubewright/runtime/api/apps/v1`. */
  readonly module?: string;
  readonly plural?: string;
  readonly scope?: "Namespaced" | "Cluster";
}

/** A possible request: verbs of a resource or of one of its subresources. */
export interface Ask {
  readonly verbs: readonly string[];
  readonly subresource?: string;
  /** The name of the only object of the request, if the code contains it. */
  readonly name?: string;
  /** Sent in some runs only: a missing permission isn't an error, and an existing one isn't superfluous. */
  readonly maybe?: true;
  /** For objects that don't exist yet, as in an apply. The objects that a controller reconciles exist. */
  readonly ifAbsent?: true;
}

/** A rule of a role that the code writes. */
export interface DelegatedRule {
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly names: readonly string[];
  readonly urls: readonly string[];
}

/** The content of a role or a binding that the code writes. Values that can't be determined are absent. */
export interface Delegation {
  /** The object's own name. */
  readonly name?: string;
  /** The rules of a role. */
  readonly rules?: readonly DelegatedRule[];
  /** The role of a binding: `Role` or `ClusterRole`, and its name. */
  readonly roleKind?: string;
  readonly roleName?: string;
}

/** A position in the code that sends API requests. */
export interface Access {
  readonly at: Position;
  /** The function that is called, such as `client.create` or `owns`. */
  readonly call: string;
  readonly kinds: readonly KindRef[];
  /** The position at which the search for the kind failed; there may be other kinds than the known ones. */
  readonly unknown?: Position;
  readonly asks: readonly Ask[];
  /** A list and a watch for the lifetime of the manager. */
  readonly informer?: true;
  /** Reads from the cache if the kind has an informer. */
  readonly read?: true;
  /** All namespaces at once, according to the call itself. */
  readonly everywhere?: true;
  /** The content of the written object, if it may be a role or a binding. */
  readonly delegation?: Delegation;
}

/** All API calls in the code of an operator. */
export interface Accesses {
  readonly accesses: readonly Access[];
  /** Positions at which the code passes a client to code that can't be analyzed, or accesses the server by other means. */
  readonly blind: readonly { readonly at: Position; readonly reason: string }[];
  /** Whether the caches are restricted to some namespaces. */
  readonly namespaced: boolean;
  /** Whether the caches of some kinds contain selected objects only, possibly selected by name. */
  readonly selects: boolean;
  /** Whether reads also start informers. */
  readonly readsStartInformers: boolean;
  /** Whether the code writes owner references that block deletion without the runtime's functions. */
  readonly blocksDeletion: boolean;
}
