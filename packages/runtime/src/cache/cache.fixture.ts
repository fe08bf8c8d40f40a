import type { Reader } from "../client/client.ts";
import { VirtualClock } from "../clock/virtual-clock.ts";
import type { RestMapper } from "../discovery/rest-mapper.ts";
import { silentLogger } from "../log/logger.ts";
import type { Transport } from "../transport/transport.ts";
import { InformerCache } from "./cache.ts";
import { FakeServer } from "./fake-server.fixture.ts";
import type { InformerCacheOptions } from "./informer-cache-options.ts";
import type { CacheOptions } from "./options.ts";

interface TestBed {
  server: FakeServer;
  cache: InformerCache;
  clock: VirtualClock;
  start: () => Promise<void>;
  stop: AbortController;
  /** The paths that were watched, with their selectors. */
  paths: string[];
  /** Reads that were sent to the server. */
  liveReads: string[];
}

/** The key of a Thing, for tests that need only one. */
export const key: { namespace: string; name: string } = { namespace: "ns", name: "a" };

/** Creates a cache whose transport is a fake server of Things. */
export function setUp(
  options: CacheOptions & Pick<InformerCacheOptions, "readMetrics"> & { mapper?: RestMapper } = {},
): TestBed {
  const server = new FakeServer();
  const clock = new VirtualClock();
  const paths: string[] = [];
  const liveReads: string[] = [];
  const transport: Transport = {
    async request({ query }) {
      const page = await server.list({ signal: new AbortController().signal, limit: query?.limit as number });
      return { status: 200, headers: {}, body: { kind: "ThingList", metadata: page, items: page.items } };
    },
    async stream({ path, query, signal }) {
      paths.push(`${path} ${query?.labelSelector ?? ""} ${query?.fieldSelector ?? ""}`.trim());
      return server.watch({
        resourceVersion: query?.resourceVersion as string,
        timeoutSeconds: 300,
        sendInitialEvents: query?.sendInitialEvents as boolean,
        signal: signal!,
      });
    },
    close: async () => {},
  };
  const live = {
    get: async () => void liveReads.push("get"),
    list: async () => void liveReads.push("list"),
  } as unknown as Reader;
  const mapper = { mapping: async () => ({ plural: "things", namespaced: true }) };
  const cache = InformerCache.create({ mapper, ...options, transport, live, log: silentLogger, clock });
  const stop = new AbortController();
  const start = async () => {
    void cache.start(stop.signal);
    await clock.advance(0);
  };
  return { server, cache, clock, start, stop, paths, liveReads };
}
