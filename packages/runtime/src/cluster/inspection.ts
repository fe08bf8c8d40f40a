import type { Reader } from "../client/client.ts";
import type { Transport } from "../transport/transport.ts";

/** The hooks of a cluster: its connection, and the reads of its cache. */
export interface ClusterInspection {
  transport(inner: Transport): Transport;
  reader(inner: Reader): Reader;
}
