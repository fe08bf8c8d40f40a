import { groupVersionPath } from "../api/kind.ts";
import { type Clock, sleep, systemClock } from "../clock/clock.ts";
import { TokenBucket } from "../clock/token-bucket.ts";
import { ApiError } from "../errors/api-error.ts";
import { NoMatchError } from "../errors/no-match-error.ts";
import { isNotFound } from "../errors/predicates.ts";
import type { Transport } from "../transport/transport.ts";

/** Finds the resources of kinds. */
export interface RestMapper {
  /**
   * Returns the resource of a kind.
   *
   * @param group - API group, `""` for the core group
   * @param version - API version
   * @param kind - name of the kind
   * @returns the resource and its scope
   * @throws NoMatchError if the server doesn't serve the kind
   * @throws TransportError if the server can't be reached
   */
  mapping(group: string, version: string, kind: string): Promise<RestMapping>;
}

/**
 * Creates a mapper that discovers the kinds of a group and version when one of them is first needed, since operators
 * use few groups. Unknown kinds are looked up again each time, because their CustomResourceDefinition may have been
 * installed in the meantime. After ten such lookups, the server is queried once per second at most.
 *
 * @param transport - connection to the API server
 * @param clock - clock of the limit
 * @returns the mapper
 */
export function createRestMapper(transport: Transport, clock: Clock = systemClock): RestMapper {
  return new DiscoveryMapper(transport, clock);
}

const RELOADS_A_SECOND = 1;
const RELOADS_AT_ONCE = 10;

class DiscoveryMapper implements RestMapper {
  readonly #transport: Transport;
  /** Kinds by `group/version`, then by name. */
  readonly #known = new Map<string, ReadonlyMap<string, RestMapping>>();
  /** Requests in progress, by path. Concurrent callers share one request. */
  readonly #pending = new Map<string, Promise<void>>();
  /** Rate limits by path. */
  readonly #limits = new Map<string, TokenBucket>();
  readonly #clock: Clock;

  constructor(transport: Transport, clock: Clock) {
    this.#transport = transport;
    this.#clock = clock;
  }

  async mapping(group: string, version: string, kind: string): Promise<RestMapping> {
    const key = groupVersionKey(group, version);
    const cached = this.#known.get(key)?.get(kind);
    if (cached) return cached;
    const path = groupVersionPath({ group, version });
    await this.#once(path, () => this.#load(path, key));
    const reloaded = this.#known.get(key)?.get(kind);
    if (reloaded) return reloaded;
    throw new NoMatchError(group, version, kind);
  }

  #once(path: string, load: () => Promise<void>): Promise<void> {
    let running = this.#pending.get(path);
    if (!running) {
      running = load().finally(() => this.#pending.delete(path));
      this.#pending.set(path, running);
    }
    return running;
  }

  async #load(path: string, key: string): Promise<void> {
    const limit = this.#limits.get(path) ?? new TokenBucket(RELOADS_A_SECOND, RELOADS_AT_ONCE, () => this.#clock.now());
    this.#limits.set(path, limit);
    const delay = limit.reserve();
    if (delay > 0) await sleep(this.#clock, delay);
    try {
      const { body } = await this.#transport.request({ method: "GET", path });
      const kinds = parseResourceList(body);
      if (kinds === undefined)
        throw ApiError.create(500, "InternalError", `GET ${path}: the response isn't an APIResourceList`);
      this.#known.set(key, kinds);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      this.#known.delete(key);
    }
  }
}

function groupVersionKey(group: string, version: string): string {
  return `${group}/${version}`;
}

/** The resource name of a kind in URLs, and whether the kind is namespaced. */
export interface RestMapping {
  /** Name of the resource in URLs, such as `deployments`. */
  plural: string;
  /** Whether objects of the kind have a namespace. */
  namespaced: boolean;
}

interface ResourceListDocument {
  kind?: string;
  resources?: { name: string; kind: string; namespaced?: boolean }[];
}

/** Returns the kinds of an `APIResourceList`, or `undefined` for any other value. */
function parseResourceList(body: unknown): ReadonlyMap<string, RestMapping> | undefined {
  const document = body as ResourceListDocument | null | undefined;
  if (document?.kind !== "APIResourceList") return undefined;
  const kinds = new Map<string, RestMapping>();
  for (const { name, kind, namespaced } of document.resources ?? []) {
    // Skips subresources such as `pods/log`, which have the kind of their response.
    if (name.includes("/") || kinds.has(kind)) continue;
    kinds.set(kind, { plural: name, namespaced: namespaced === true });
  }
  return kinds;
}
