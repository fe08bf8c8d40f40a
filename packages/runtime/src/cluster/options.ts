import type { Kind } from "../api/kind.ts";
import type { CacheOptions } from "../cache/options.ts";
import type { Client } from "../client/client.ts";
import type { Clock } from "../clock/clock.ts";
import type { Logger } from "../log/logger.ts";
import type { Tracer } from "../tracing/tracer.ts";
import type { Transport } from "../transport/transport.ts";

/** Options of the client of a {@link Cluster} or {@link Manager}. */
export interface ClientOptions {
  /** How reads use the cache. */
  cache?: {
    /** Kinds that are read from the API server even if they are watched. */
    disableFor?: readonly Kind[];
    /** Whether reads include this process's own writes before the watch has delivered them. The default is `true`. */
    enableReadYourWritesConsistency?: boolean;
  };
  /**
   * Sends all writes as dry runs: the server validates them and stores nothing.
   *
   * @defaultValue false
   */
  dryRun?: boolean;
  /**
   * Wraps the finished client, for example to record its calls or to restrict it.
   *
   * @defaultValue the client itself
   */
  wrap?: (client: Client) => Client;
  /**
   * Field owner of writes that don't set one.
   *
   * @defaultValue derived by the server from the user agent
   */
  fieldOwner?: string;
  /**
   * How the server treats unknown and duplicate fields of writes that don't set `fieldValidation`.
   *
   * @defaultValue "Warn"
   */
  fieldValidation?: "Ignore" | "Warn" | "Strict";
}

/** Options of a {@link Cluster}: its connection, client and cache. */
export interface ClusterOptions {
  /**
   * Selects and transforms the objects in the cache.
   *
   * @defaultValue all objects of watched kinds, without `managedFields`
   */
  cache?: CacheOptions;
  /**
   * Options of the client.
   *
   * @defaultValue see {@link ClientOptions}
   */
  client?: ClientOptions;
  /**
   * Logger of the runtime.
   *
   * @defaultValue JSON lines on standard error
   */
  logger?: Logger;
  /**
   * Clock of caches, queues and events.
   *
   * @defaultValue {@link systemClock}
   */
  clock?: Clock;
  /**
   * Source of numbers in [0, 1) for jitter and identifiers. With a clock and a transport, it makes a run repeatable.
   *
   * @defaultValue the random numbers of the system
   */
  random?: () => number;
  /**
   * Connection to the server, which replaces the one that the configuration describes. The cluster doesn't close it.
   *
   * @defaultValue created from the configuration
   */
  transport?: Transport;
  /**
   * Creates spans for reconciles, requests and webhook calls.
   *
   * @defaultValue the tracer of the global OpenTelemetry provider, if one is registered
   */
  tracer?: Tracer;
}
