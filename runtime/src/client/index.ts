export type {
  ApplyOptions,
  Client,
  DeleteOptions,
  LinesOptions,
  List,
  ListOptions,
  ObjectKey,
  Reader,
  ReadOptions,
  Stored,
  SubResourceClient,
  SubResources,
  SubResourceWriter,
  WatchEvent,
  WatchOptions,
  WholeObjects,
  WriteOptions,
} from "./client.ts";
export { createClient } from "./create-client.ts";
export { type ExtractApplyOptions, extractApply } from "./extract-apply.ts";
export { createLiveClient, type LiveClientOptions } from "./live-client.ts";
export { objectKeyFromObject } from "./object-key.ts";
export type { ApplyConfiguration, MetadataOnly, ObjectBody } from "./object-types.ts";
export { listPages } from "./pages.ts";
export {
  type JsonPatchOperation,
  jsonPatch,
  type MergeFromOptions,
  mergeFrom,
  type Patch,
  type PatchType,
  rawPatch,
} from "./patch.ts";
export { type PodLogOptions, podLogs } from "./pod-logs.ts";
