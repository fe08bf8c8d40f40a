import type { Config } from "../config/config.ts";
import { createRestMapper } from "../discovery/rest-mapper.ts";
import { createTransport } from "../transport/create-transport.ts";
import type { Client } from "./client.ts";
import { createLiveClient } from "./live-client.ts";

/**
 * Creates a client without a cache: every read goes to the API server. In an operator, use `mgr.client` instead, which
 * reads from the manager's cache. Its idle connections don't keep the process alive.
 *
 * @param config - connection settings of the API server
 * @returns the client
 * @throws Error if the configuration isn't valid
 *
 * @example
 * const client = createClient(getConfigOrDie());
 * const pod = await client.get(Pod, { namespace: "default", name: "web" });
 */
export function createClient(config: Config): Client {
  const transport = createTransport(config);
  return createLiveClient({ transport, mapper: createRestMapper(transport) });
}
