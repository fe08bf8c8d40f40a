// The reconciles and objects of a development session, a part of its protocol.
import type { AdmissionRecord, KStatus, ReconcileRecord, RecordedObject } from "@kubewright/runtime/dev";

/** The answer of `scaffold dev why` and `GET /api/why?apiVersion=…&kind=…&namespace=…&name=…&limit=…`. */
export interface Why {
  readonly object: RecordedObject & {
    /** Empty if the object doesn't exist. */
    readonly uid: string;
    readonly resourceVersion: string;
  };
  /** The latest first. */
  readonly reconciles: readonly ReconcileRecord[];
}

// Objects -----------------------------------------------------------------------------------------------------------

/** A condition of an object. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

/** An object in the tree. */
export interface ObjectSummary {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Null if the kind has no notion of readiness. */
  readonly ready: boolean | null;
  /** The state as Helm, Flux and `kubectl wait` compute it. Null if no rule applies to the object. */
  readonly status: KStatus | null;
  /** Why the object has its state, for people. Empty without a state. */
  readonly statusMessage: string;
  readonly owners: readonly string[];
  readonly children: readonly string[];
  readonly generation: number | null;
  readonly observedGeneration: number | null;
  readonly conditions: readonly Condition[];
  readonly resourceVersion: string;
  readonly creationTimestamp: string;
  readonly deleting: boolean;
  /** Whether the kind is one of the project. */
  readonly own: boolean;
  /** Desired replicas, if the object can be scaled. */
  readonly replicas?: number;
  /** Whether the operator of the project has written the object, by its fields' managers. Absent for others. */
  readonly written?: boolean;
  /** The uids of the objects whose reconciles wrote this one, if it has no owner that is known, as in another namespace. */
  readonly writtenFor?: readonly string[];
  /** The printer columns of the kind's definition, as `kubectl get` prints them, without the name and the age. */
  readonly columns?: readonly PrintedColumn[];
}

/** The value of a printer column. Empty if the object doesn't have it. */
export interface PrintedColumn {
  readonly name: string;
  readonly value: string;
}

/** `GET /api/objects`. */
export interface Objects {
  readonly objects: readonly ObjectSummary[];
}

/** An entry of `managedFields`, with its paths. */
export interface FieldOwner {
  readonly manager: string;
  readonly operation: string;
  readonly subresource?: string;
  readonly time?: string;
  readonly paths: readonly string[];
}

/** An event about an object. */
export interface ObjectEvent {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly firstTime: string;
  readonly lastTime: string;
  readonly source: string;
}

/** A state of an object that the session has observed. */
export interface ObjectRevision {
  readonly resourceVersion: string;
  readonly time: string;
  readonly type: "added" | "modified" | "deleted";
  readonly by?: string;
  readonly changed: readonly string[];
  /** Unified diff of the YAML, from the previous state. */
  readonly diff: string;
}

/** `GET /api/object?apiVersion=…&kind=…&namespace=…&name=…`. */
export interface ObjectDetail {
  readonly summary: ObjectSummary;
  /** YAML without `managedFields`. */
  readonly yaml: string;
  readonly fields: readonly FieldOwner[];
  readonly events: readonly ObjectEvent[];
  /** The latest first. */
  readonly revisions: readonly ObjectRevision[];
}

/** `GET /api/reconciles?apiVersion=…&kind=…&namespace=…&name=…&limit=…`: those of all objects, or of the given ones; the latest first. */
export interface Reconciles {
  readonly reconciles: readonly ReconcileRecord[];
}

/** An entry of a timeline. */
export type TimelineEntry =
  | { readonly type: "reconcile"; readonly time: string; readonly reconcile: ReconcileRecord }
  | { readonly type: "change"; readonly time: string; readonly change: ObjectRevision }
  | { readonly type: "event"; readonly time: string; readonly event: ObjectEvent }
  | { readonly type: "admission"; readonly time: string; readonly admission: AdmissionRecord };

/** `GET /api/timeline?apiVersion=…&kind=…&namespace=…&name=…&limit=…`: the latest first. */
export interface Timeline {
  readonly object: Why["object"];
  readonly entries: readonly TimelineEntry[];
}
