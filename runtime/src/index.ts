// The main entry point of @kubewright/runtime. Everything that isn't exported here is internal.

export type { AdmissionRequest, Operation } from "./api/admission/v1.ts";
export type { KubernetesList, KubernetesObject, ListMeta, ObjectMeta, OwnerReference, TypeMeta } from "./api/index.ts";
export { ControllerBuilder, newControllerManagedBy, type OwnsOptions, type WatchOptions } from "./builder/builder.ts";
export type { ControllerHost } from "./builder/host.ts";
export { newWebhookManagedBy, WebhookBuilder } from "./builder/webhook-builder.ts";
export type { WebhookHost } from "./builder/webhook-host.ts";
export { CacheNotStartedError, InformerCache, type InformOptions } from "./cache/cache.ts";
export { Informer } from "./cache/informer.ts";
export type { LabelSelector } from "./cache/label-selector.ts";
export type { ByObject, CacheOptions, FieldSelector, NamespaceOptions, Transform } from "./cache/options.ts";
export type { InformerHandler, Registration } from "./cache/registration.ts";
export type { IndexFunc } from "./cache/store.ts";
export type { CertificatePair } from "./certs/certificate-pair.ts";
export type { CertificateSource } from "./certs/certificate-source.ts";
export {
  type ApplyConfiguration,
  type ApplyOptions,
  type Client,
  createClient,
  createLiveClient,
  type DeleteOptions,
  type ExtractApplyOptions,
  extractApply,
  type JsonPatchOperation,
  jsonPatch,
  type LinesOptions,
  type List,
  type ListOptions,
  type LiveClientOptions,
  listPages,
  type MergeFromOptions,
  type MetadataOnly,
  mergeFrom,
  type ObjectBody,
  type ObjectKey,
  objectKeyFromObject,
  type Patch,
  type PatchType,
  type PodLogOptions,
  podLogs,
  type Reader,
  type ReadOptions,
  rawPatch,
  type Stored,
  type SubResourceClient,
  type SubResources,
  type SubResourceWriter,
  type WatchEvent,
  type WatchOptions as ClientWatchOptions,
  type WholeObjects,
  type WriteOptions,
} from "./client/index.ts";
export {
  type FieldOwnerClient,
  type FieldOwnerSubResourceWriter,
  type Interceptor,
  type InterceptorFuncs,
  interceptor,
  newDryRunClient,
  newNamespacedClient,
  withFieldOwner,
  withFieldValidation,
} from "./client/wrappers/index.ts";
export { type Clock, systemClock, type Timer } from "./clock/clock.ts";
export { Cluster } from "./cluster/cluster.ts";
export type { ClientOptions, ClusterOptions } from "./cluster/options.ts";
export {
  type Config,
  ConfigError,
  type ExecConfig,
  getConfigOrDie,
  type ImpersonateConfig,
  inClusterConfig,
  type LoadConfigOptions,
  loadConfig,
  type ProcessEnvironment,
} from "./config/index.ts";
export type { Context, Reason } from "./context.ts";
export { asReconciler, type ObjectReconciler } from "./controller/as-reconciler.ts";
export { Controller, type ControllerSettings } from "./controller/controller.ts";
export type { ControllerDefaults, ControllerOptions } from "./controller/options.ts";
export type { Reconciler, Result } from "./controller/reconciler.ts";
export { isTerminal, TerminalError } from "./controller/terminal-error.ts";
export {
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
export { createRestMapper, type RestMapper } from "./discovery/index.ts";
export * from "./errors/index.ts";
export type { EventOptions, EventRecorder } from "./events/recorder.ts";
export type { CreateEvent, DeleteEvent, GenericEvent, UpdateEvent } from "./handler/events.ts";
export {
  type EventHandler,
  enqueueRequestForObject,
  enqueueRequestForOwner,
  enqueueRequestsFromMapFunc,
  handlerFuncs,
  inCluster,
  lowPriority,
  type MapFunc,
  type MappedRequest,
  type OwnerHandlerOptions,
  type OwnerKind,
  typedEnqueueRequestsFromMapFunc,
  withLowPriorityWhenUnchanged,
} from "./handler/index.ts";
export { type HealthCheck, ping } from "./health/health.ts";
export {
  addQuantities,
  compareQuantities,
  formatDuration,
  multiplyQuantity,
  parseDuration,
  quantityToNumber,
  subtractQuantities,
} from "./json/index.ts";
export { type GroupVersion, groupVersion, type Kind, type KindOptions, type ObjectOf } from "./kind.ts";
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
export type { BindAddress } from "./manager/bind-address.ts";
export {
  type FlagOption,
  type FlagOptions,
  type FlagValues,
  type ManagerFlags,
  managerOptions,
  parseManagerFlags,
} from "./manager/flags.ts";
export { Manager } from "./manager/manager.ts";
export type { ControllerManagerDefaults, ManagerOptions, MetricsOptions } from "./manager/options.ts";
export type { Runnable } from "./manager/runnable.ts";
export { Server, type ServerOptions } from "./manager/server.ts";
export { setupSignalHandler } from "./manager/signals.ts";
export { watchNamespacesFromEnv } from "./manager/watch-namespaces.ts";
export {
  and,
  annotationChangedPredicate,
  generationChangedPredicate,
  labelChangedPredicate,
  labelSelectorPredicate,
  newPredicateFuncs,
  not,
  or,
  type Predicate,
  resourceVersionChangedPredicate,
} from "./predicate/index.ts";
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
export type { Request } from "./request.ts";
export { type ChannelSourceOptions, channelSource } from "./source/channel-source.ts";
export { type KindSourceOptions, kindSource } from "./source/kind-source.ts";
export type { Source, SourceContext } from "./source/source.ts";
export type { AttributeValue, Span, SpanOptions, Tracer } from "./tracing/tracer.ts";
export { createTransport, type Transport, type TransportOptions } from "./transport/index.ts";
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
  ValidationResult,
  Warnings,
} from "./webhook/admission/types.ts";
export { validatorHandler } from "./webhook/admission/validating.ts";
export type { Converter, SpokeConverter } from "./webhook/conversion/converter.ts";
export type { LocalWebhooksOptions } from "./webhook/local/options.ts";
export type { AdmissionOptions, WebhookServerOptions, WebhookTlsOptions } from "./webhook/options.ts";
export { selfManagedCertificatesFromEnv } from "./webhook/self-managed/from-env.ts";
export type { CABundleTarget, SelfManagedCertificatesOptions } from "./webhook/self-managed/options.ts";
export { WebhookServer } from "./webhook/server.ts";
