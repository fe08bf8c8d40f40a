// The main entry point of @kubewright/runtime. Everything that isn't exported here is internal.

export type { AdmissionRequest, Operation } from "./api/admission/v1.ts";
export type { KubernetesList, KubernetesObject, ListMeta, ObjectMeta, OwnerReference, TypeMeta } from "./api/index.ts";
export { type GroupVersion, groupVersion, type Kind, type KindOptions, type ObjectOf } from "./api/kind.ts";
export {
  ControllerBuilder,
  newControllerManagedBy,
  type OwnsOptions,
  type WatchesOptions,
  type WatchOptions,
} from "./builder/builder.ts";
export type { ControllerHost } from "./builder/host.ts";
export { newWebhookManagedBy, WebhookBuilder } from "./builder/webhook-builder.ts";
export type { WebhookHost } from "./builder/webhook-host.ts";
export { CacheNotStartedError, InformerCache } from "./cache/cache.ts";
export { Informer } from "./cache/informer.ts";
export type {
  ByObject,
  CacheOptions,
  FieldSelector,
  InformOptions,
  NamespaceOptions,
  Transform,
} from "./cache/options.ts";
export type { InformerHandler, Registration } from "./cache/registration.ts";
export type { IndexFunc } from "./cache/store.ts";
export type { CertificatePair } from "./certs/certificate-pair.ts";
export type { CertificateSource } from "./certs/certificate-source.ts";
export { Children, childrenOf } from "./children/children.ts";
export {
  AnyKind,
  type ChildAction,
  type ChildEntries,
  type ChildMetadata,
  type ChildOptions,
  type ChildResult,
  type ChildrenOptions,
  type EntryObject,
  keep,
  type ReconciledChildren,
  type StoredChildren,
  type WantedChild,
  type WantedChildren,
  type WantedEntry,
  type WantedItem,
  type WantedObject,
} from "./children/types.ts";
export type {
  ApplyOptions,
  BodyOf,
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
  WatchOptions as ClientWatchOptions,
  WholeObjects,
  WriteOptions,
} from "./client/client.ts";
export { createClient } from "./client/create-client.ts";
export { type ExtractApplyOptions, extractApply } from "./client/extract-apply.ts";
export { formatLabelSelector, type LabelSelectorObject } from "./client/format-label-selector.ts";
export type { LabelSelector } from "./client/label-selector.ts";
export { createLiveClient, type LiveClientOptions } from "./client/live-client.ts";
export { objectKeyFromObject } from "./client/object-key.ts";
export type {
  ApplyConfiguration,
  DeepPartial,
  MetadataOnly,
  Named,
  NotAKind,
  ObjectBody,
} from "./client/object-types.ts";
export { listPages } from "./client/pages.ts";
export {
  type JsonPatchOperation,
  jsonPatch,
  type MergeFromOptions,
  mergeFrom,
  type Patch,
  type PatchType,
  rawPatch,
} from "./client/patch.ts";
export { type PodLogOptions, podLogs } from "./client/pod-logs.ts";
export { type Interceptor, type InterceptorFuncs, interceptor } from "./client/wrappers/interceptor.ts";
export { newNamespacedClient } from "./client/wrappers/namespaced.ts";
export {
  type FieldOwnerClient,
  type FieldOwnerSubResourceWriter,
  newDryRunClient,
  withFieldOwner,
  withFieldValidation,
} from "./client/wrappers/with-options.ts";
export { type Clock, systemClock, type Timer } from "./clock/clock.ts";
export { Cluster } from "./cluster/cluster.ts";
export type { ClientOptions, ClusterOptions } from "./cluster/options.ts";
export type { Config, ExecConfig, ImpersonateConfig } from "./config/config.ts";
export { inClusterConfig } from "./config/in-cluster.ts";
export { ConfigError } from "./config/kubeconfig.ts";
export { getConfigOrDie, type LoadConfigOptions, loadConfig, type ProcessEnvironment } from "./config/load-config.ts";
export { asReconciler, type ObjectReconciler } from "./controller/as-reconciler.ts";
export { Controller, type ControllerSettings } from "./controller/controller.ts";
export type { ControllerDefaults, ControllerOptions } from "./controller/options.ts";
export { applyIfChanged } from "./controllerutil/apply-if-changed.ts";
export {
  type ConditionLike,
  type ConditionsHolder,
  findStatusCondition,
  isStatusConditionFalse,
  isStatusConditionTrue,
  type NewCondition,
  removeStatusCondition,
  type StatusCondition,
  setStatusCondition,
} from "./controllerutil/conditions.ts";
export { createOrPatch, createOrUpdate, type Mutate, type OperationResult } from "./controllerutil/create-or-update.ts";
export {
  type Finalizer,
  type FinalizerResult,
  Finalizers,
  FinalizersFailedError,
  newFinalizers,
} from "./controllerutil/finalizer-registry.ts";
export { addFinalizer, containsFinalizer, removeFinalizer } from "./controllerutil/finalizers.ts";
export {
  AlreadyOwnedError,
  getControllerOf,
  hasControllerReference,
  hasOwnerReference,
  type OwnerReferenceOptions,
  removeControllerReference,
  removeOwnerReference,
  setControllerReference,
  setOwnerReference,
} from "./controllerutil/owner-references.ts";
export { patchStatus } from "./controllerutil/patch-status.ts";
export { type RetryOnConflictOptions, retryOnConflict } from "./controllerutil/retry-on-conflict.ts";
export { createRestMapper, type RestMapper, type RestMapping } from "./discovery/rest-mapper.ts";
export { ApiError, type ErrorSubject } from "./errors/api-error.ts";
export { type MissingPermission, missingPermission, rbacMarker } from "./errors/missing-permission.ts";
export { isNoMatch, NoMatchError } from "./errors/no-match-error.ts";
export {
  findApiError,
  ignoreAlreadyExists,
  ignoreNotFound,
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isExpired,
  isForbidden,
  isGone,
  isInternalError,
  isInvalid,
  isMethodNotSupported,
  isNotAcceptable,
  isNotFound,
  isRequestEntityTooLarge,
  isServerTimeout,
  isServiceUnavailable,
  isTimeout,
  isTooLargeResourceVersion,
  isTooManyRequests,
  isUnauthorized,
  isUnsupportedMediaType,
} from "./errors/predicates.ts";
export { reasonForCode, type Status, type StatusCause, type StatusDetails, StatusReason } from "./errors/status.ts";
export { isConnectionRefused, isConnectionReset, isTransportError, TransportError } from "./errors/transport-error.ts";
export type { EventOptions, EventRecorder } from "./events/recorder.ts";
export { type ExternalOptions, external } from "./external/external.ts";
export { withLowPriorityWhenUnchanged } from "./handler/defaults.ts";
export { type EventHandler, lowPriority } from "./handler/event-handler.ts";
export type { CreateEvent, DeleteEvent, GenericEvent, UpdateEvent } from "./handler/events.ts";
export { enqueueRequestForObject } from "./handler/for-object.ts";
export { enqueueRequestForOwner, type OwnerHandlerOptions, type OwnerKind } from "./handler/for-owner.ts";
export { handlerFuncs } from "./handler/funcs.ts";
export { inCluster } from "./handler/in-cluster.ts";
export {
  enqueueRequestsFromMapFunc,
  type MapFunc,
  type MappedRequest,
  typedEnqueueRequestsFromMapFunc,
} from "./handler/map-func.ts";
export { type HealthCheck, ping } from "./health/health.ts";
export type { WebhookTlsOptions } from "./http/tls.ts";
export type { InspectOptions } from "./inspect/options.ts";
export { formatDuration, parseDuration } from "./json/duration.ts";
export {
  addQuantities,
  compareQuantities,
  multiplyQuantity,
  quantityToNumber,
  subtractQuantities,
} from "./json/quantity.ts";
export { computeStatus } from "./kstatus/compute-status.ts";
export type { KStatus, StatusResult } from "./kstatus/result.ts";
export {
  type ReadinessReason,
  type StatusHolder,
  setReady,
  setReconciling,
  setStalled,
  setStatusFromChildren,
} from "./kstatus/set-status.ts";
export { LeadershipLostError } from "./leader-election/leadership-guard.ts";
export type { LeaseOptions } from "./leader-election/options.ts";
export { createLogger } from "./log/create-logger.ts";
export { type LogFields, type Logger, silentLogger } from "./log/logger.ts";
export {
  FlagError,
  type LoggerOptions,
  type LogLevel,
  loggerOptionsFromFlags,
  type TimeEncoding,
  type ZapFlags,
  zapFlagOptions,
} from "./log/options.ts";
export {
  type FlagOption,
  type FlagOptions,
  type FlagsWithDefault,
  type FlagValue,
  type FlagValues,
  type ManagerFlags,
  managerOptions,
  parseManagerFlags,
} from "./manager/flags.ts";
export { Manager } from "./manager/manager.ts";
export type {
  ControllerManagerDefaults,
  ManagerOptions,
  MetricsHandlerOptions,
  MetricsOptions,
} from "./manager/options.ts";
export type { ShardRange, Shards } from "./manager/sharding.ts";
export { setupSignalHandler } from "./manager/signals.ts";
export { watchNamespacesFromEnv } from "./manager/watch-namespaces.ts";
export type { ManagerMetrics } from "./metrics/metrics.ts";
export {
  annotationChangedPredicate,
  generationChangedPredicate,
  labelChangedPredicate,
  resourceVersionChangedPredicate,
} from "./predicate/changed.ts";
export { and, not, or } from "./predicate/combine.ts";
export { labelSelectorPredicate } from "./predicate/label-selector.ts";
export { newPredicateFuncs, type Predicate } from "./predicate/predicate.ts";
export { PriorityQueue, type PriorityQueueOptions } from "./queue/priority-queue.ts";
export type { AddOnlyQueue, AddOptions, Queue, QueueItem } from "./queue/queue.ts";
export {
  type BackoffOptions,
  type BucketOptions,
  BucketRateLimiter,
  ExponentialBackoff,
  maxOfRateLimiters,
  type RateLimiter,
} from "./queue/rate-limiter.ts";
export type { Reason } from "./queue/reason.ts";
export type { Context } from "./reconcile/context.ts";
export type { Reconciler, Result } from "./reconcile/reconciler.ts";
export type { Request } from "./reconcile/request.ts";
export { isTerminal, TerminalError } from "./reconcile/terminal-error.ts";
export type { Runnable } from "./runnable/runnable.ts";
export type { BindAddress } from "./server/bind-address.ts";
export type { NodeServer } from "./server/http-server.ts";
export { Server, type ServerOptions } from "./server/server.ts";
export type { ShardingOptions } from "./shard-group/options.ts";
export type { ShardKey } from "./shards/selector.ts";
export { type ChannelSourceOptions, channelSource } from "./source/channel-source.ts";
export { type KindSourceOptions, kindSource } from "./source/kind-source.ts";
export type { Source, SourceContext } from "./source/source.ts";
export type { AttributeValue, Span, SpanOptions, TraceContext, Tracer } from "./tracing/tracer.ts";
export { createTransport } from "./transport/create-transport.ts";
export type { Exchange, RequestDetails, TransportOptions } from "./transport/options.ts";
export type { Transport, TransportRequest, TransportResponse, TransportStream } from "./transport/transport.ts";
export { defaulterHandler } from "./webhook/admission/defaulting.ts";
export { Denied } from "./webhook/admission/denied.ts";
export { multiMutatingHandler, multiValidatingHandler } from "./webhook/admission/multi.ts";
export { patchResponseFromRaw } from "./webhook/admission/patch-response.ts";
export {
  allowed,
  denied,
  errored,
  patched,
  validationResponse,
  withWarnings,
} from "./webhook/admission/response.ts";
export { type StandaloneOptions, standaloneWebhook } from "./webhook/admission/standalone.ts";
export type {
  AdmissionHandler,
  AdmissionResponse,
  CustomDefaulter,
  CustomValidator,
  Defaulter,
  ValidationResult,
  Validator,
  Warnings,
} from "./webhook/admission/types.ts";
export { validatorHandler } from "./webhook/admission/validating.ts";
export type { Converter, SpokeConverter } from "./webhook/conversion/converter.ts";
export type { LocalWebhooksOptions } from "./webhook/options/local.ts";
export type { CABundleTarget, SelfManagedCertificatesOptions } from "./webhook/options/self-managed.ts";
export type { AdmissionOptions, WebhookServerOptions } from "./webhook/options/server.ts";
export { selfManagedCertificatesFromEnv } from "./webhook/self-managed/from-env.ts";
export { WebhookServer } from "./webhook/server.ts";
