export { type Interceptor, type InterceptorFuncs, interceptor } from "./interceptor.ts";
export { newNamespacedClient } from "./namespaced.ts";
export {
  type FieldOwnerClient,
  type FieldOwnerSubResourceWriter,
  newDryRunClient,
  withFieldOwner,
  withFieldValidation,
} from "./with-options.ts";
