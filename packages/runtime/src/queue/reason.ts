/** Explains why an object is reconciled. Decide by the state that the client reads, never by the reason. */
export interface Reason {
  /** Type of the event. `requeue` and `retry` follow an earlier reconcile: its result, or its failure. */
  type: "create" | "update" | "delete" | "generic" | "requeue" | "retry" | "resync";
  /** Kind of the object that the event is about. */
  kind?: string;
  /** Namespace of that object. Unset for cluster-scoped objects. */
  namespace?: string;
  /** Name of that object. */
  name?: string;
}
