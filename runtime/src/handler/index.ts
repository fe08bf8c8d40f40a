export { withLowPriorityWhenUnchanged } from "./defaults.ts";
export { type EventHandler, lowPriority } from "./event-handler.ts";
export { enqueueRequestForObject } from "./for-object.ts";
export { enqueueRequestForOwner, type OwnerHandlerOptions, type OwnerKind } from "./for-owner.ts";
export { handlerFuncs } from "./funcs.ts";
export { inCluster } from "./in-cluster.ts";
export {
  enqueueRequestsFromMapFunc,
  type MapFunc,
  type MappedRequest,
  typedEnqueueRequestsFromMapFunc,
} from "./map-func.ts";
