import type { CacheOptions } from "../cache/options.ts";
import type { Clock } from "../clock/clock.ts";
import type { Kind } from "../kind.ts";
import type { Logger } from "../log/logger.ts";
import type { Tracer } from "../tracing/tracer.ts";
import type { Transport } from "../transport/transport.ts";

/** How `client` reads and writes. */
export interface ClientOptions {
  cache?: {
    /** Kinds that are read live although they are watched. */
    disableFor?: readonly Kind[];
    /** Whether reads see this process's own writes before the watch does; true by default. */
    enableReadYourWritesConsistency?: boolean;
  };
  /** Writes nothing: the server is asked to only check each request. */
  dryRun?: boolean;
  /** The field owner of writes that name none. */
  fieldOwner?: string;
  /** What the server does about unknown and duplicate fields, where a write doesn't say. */
  fieldValidation?: "Ignore" | "Warn" | "Strict";
}

/** How the API server of a cluster is spoken to, and what is cached of it. */
export interface ClusterOptions {
  /** Which objects are cached, and how. */
  cache?: CacheOptions;
  /** How the client reads and writes. */
  client?: ClientOptions;
  /** Where the runtime logs; JSON lines on standard error by default. */
  logger?: Logger;
  /** Time as the cluster sees it. */
  clock?: Clock;
  /** How to reach the server, in place of what the configuration says. It isn't closed by the cluster. */
  transport?: Transport;
  /** Spans for reconciles, requests and webhook calls; that of the registered global provider by default. */
  tracer?: Tracer;
}
