// The format of the rows. README.md describes the steps.
import type { Json, JsonObject } from "@kubewright/cel/json";

/** The part of a request that isn't its method and path. */
export interface RequestOptions {
  /** An object is sent as JSON, a string as it is. */
  readonly body?: Json;
  /** By name. `null` removes a default header, and the content type `-` sends none. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** The user and groups whom the administrator impersonates. */
  readonly as?: string;
  readonly groups?: readonly string[];
  /** Whether to send no credentials. */
  readonly anonymous?: boolean;
  /** Replaces the administrator's token. */
  readonly token?: string;
}

/** The condition that ends a repetition. All of its parts must hold. */
export interface Condition {
  readonly status?: number;
  readonly contains?: string;
  readonly path?: string;
  readonly equals?: Json;
  readonly exists?: boolean;
  /** In milliseconds, the longest time of the repetition. */
  readonly ms?: number;
}

/** The response of a webhook. webhook.ts describes the values of `convert`. */
export interface HookResponse {
  readonly allowed?: boolean;
  readonly message?: string;
  readonly code?: number;
  readonly reason?: string;
  readonly details?: JsonObject;
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: JsonObject;
  /** A JSON patch, or a text in its place. */
  readonly patch?: Json;
  readonly patchType?: string;
  readonly uid?: string;
  readonly apiVersion?: string;
  readonly kind?: string;
  /** Paths in the request, separated by commas, whose values the message repeats. */
  readonly echo?: string;
  readonly convert?: "copy" | "fail" | "short" | "same" | "meta" | "labels" | "rename";
  readonly delayMs?: number;
  /** A status of HTTP, with `raw` as the body. */
  readonly http?: number;
  readonly type?: string;
  /** The text of the body. */
  readonly raw?: string;
}

/** One step of a row. Its keys determine what it does. */
export interface Step extends RequestOptions {
  readonly method?: string;
  readonly path?: string;
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  /** Paths in the response, whose values later steps use by name. */
  readonly save?: Readonly<Record<string, string>>;
  readonly until?: Condition;
  /** Whether the response isn't compared. */
  readonly quiet?: boolean;
  /** Compares only the status code, or the status code and the content type. */
  readonly only?: "status" | "type";
  /** Compares only the values at these paths of the body. */
  readonly pick?: readonly string[];
  /** Opens a stream with this name. */
  readonly watch?: string;
  /** Ends the stream with this name. */
  readonly watchEnd?: string;
  readonly count?: number;
  /** Whether to wait until the server ends the stream. */
  readonly closed?: boolean;
  readonly ms?: number;
  readonly quietMs?: number;
  readonly bookmarks?: boolean;
  /** Compares only the types and names of the events, or of the first and the last one. */
  readonly events?: "types" | "ends";
  /** The path of a webhook whose response is set. */
  readonly hook?: string;
  readonly respond?: HookResponse;
  /** The path of a webhook whose received requests are returned. */
  readonly hookCalls?: string;
  readonly kubectl?: string | readonly string[];
  readonly stdin?: Json;
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, Json>>;
  readonly timeoutMs?: number;
  /** In milliseconds, the time to wait. */
  readonly sleep?: number;
}

/** A sequence of steps with its own namespaces and API group. */
export interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
  /** In milliseconds, the longest time of all steps. */
  readonly limitMs?: number;
}

/** A response. `null` isn't compared. */
export type Answer = Json | undefined;

/** The responses to the steps of a scenario. */
export interface Transcript {
  readonly results: readonly Answer[];
  /** Why the scenario ended early. */
  readonly broken?: string;
}

/** A recorded scenario. */
export interface Row extends Scenario {
  readonly area: string;
  /** The normalized responses of kube-apiserver. */
  expected: readonly Answer[];
}
