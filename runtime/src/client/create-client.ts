import type { Config } from "../config/config.ts";
import { createRestMapper } from "../discovery/index.ts";
import { createTransport } from "../transport/index.ts";
import type { Client } from "./client.ts";
import { createLiveClient } from "./live-client.ts";

/**
 * A client that stands alone: every read goes to the API server. In an operator take `mgr.client` instead, which reads
 * from the manager's cache. Its connections are idle between calls and don't keep the process alive.
 *
 * @example
 * const client = createClient(getConfigOrDie());
 * const pod = await client.get(Pod, { namespace: "default", name: "web" });
 */
export function createClient(config: Config): Client {
  const transport = createTransport(config);
  return createLiveClient({ transport, mapper: createRestMapper(transport) });
}
