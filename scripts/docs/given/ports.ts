// Declarations for the tables of calls, beside those of the other files.
import type {
  AdmissionRequest,
  AdmissionResponse,
  ApplyOptions,
  CacheOptions,
  Client,
  Context,
  ControllerBuilder,
  ControllerOptions,
  Converter,
  CreateEvent,
  Defaulter,
  DeleteOptions,
  EventHandler,
  EventOptions,
  GenericEvent,
  KindSourceOptions,
  ListOptions,
  LoggerOptions,
  ManagerOptions,
  OwnerHandlerOptions,
  OwnsOptions,
  Patch,
  Predicate,
  Queue,
  Request,
  Result,
  Runnable,
  Source,
  SpokeConverter,
  Stored,
  UpdateEvent,
  Validator,
  WebhookBuilder,
  WriteOptions,
} from "@kubewright/runtime";
import type { KubernetesObject } from "@kubewright/runtime/api";
import type { Deployment } from "@kubewright/runtime/api/apps/v1";
import type { ConfigMap, Pod, Secret, Service } from "@kubewright/runtime/api/core/v1";
import type { TestEnvironment, TestEnvironmentOptions } from "@kubewright/runtime/envtest";
import type { FakeClientOptions } from "@kubewright/runtime/testing";
import type { GameV1, GameV2 } from "./conversion.ts";
import type { Game } from "./game.ts";

export { PriorityQueue } from "@kubewright/runtime";
export { TestEnvironment } from "@kubewright/runtime/envtest";
export { eventually, fakeClient, testContext, testLogger } from "@kubewright/runtime/testing";

/** The types of objects of options that rows contain. */
export type AnyOptions =
  | ApplyOptions
  | CacheOptions
  | Context
  | ControllerOptions
  | Converter<GameV2, readonly [GameV1]>
  | DeleteOptions
  | EventOptions
  | FakeClientOptions
  | KindSourceOptions<Pod>
  | ListOptions
  | LoggerOptions
  | ManagerOptions
  | OwnerHandlerOptions
  | OwnsOptions<Pod>
  | Predicate<Pod>
  | Request
  | Result
  | Runnable
  | TestEnvironmentOptions
  | WriteOptions;

type FieldsOf<T> = T extends unknown ? keyof T : never;
/** The names of the fields and methods that rows contain without their object. */
export type AnyField = FieldsOf<
  | AnyOptions
  | Client
  | ControllerBuilder
  | CreateEvent
  | KubernetesObject["metadata"]
  | Secret
  | Source
  | SpokeConverter
  | UpdateEvent
>;

export declare const before: Stored<Game>;
export declare const builder: ControllerBuilder;
export declare const webhookBuilder: WebhookBuilder<Game>;
export declare const converter: Converter<GameV2, readonly [GameV1]>;
export declare const defaulter: Defaulter<Game>;
export declare const validator: Validator<Game>;
export declare const deployment: Stored<Deployment>;
export declare const environment: TestEnvironment;
export declare const secret: Stored<Secret>;
export declare const token: string;
export declare const error: unknown;
export declare const events: AsyncIterable<GenericEvent<Game>>;
export declare const handler: EventHandler<Pod>;
export declare const owner: { fieldOwner: string };
export declare const patch: Patch;
export declare const p: Predicate<KubernetesObject>;
export declare const queue: Queue<Request>;
export declare const reconciler: { reconcile(): Promise<Result | undefined> };
export declare const request: AdmissionRequest;
export declare const response: AdmissionResponse;
export declare const service: Stored<Service>;
export declare const configMap: Stored<ConfigMap>;
export declare const pod: Stored<Pod>;
export declare const source: Source;
export declare const url: string;
export declare const west: Client;
