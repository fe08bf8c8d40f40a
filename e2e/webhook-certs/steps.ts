// Tests a scaffolded project whose managers manage their webhook certificates, on a laptop and in a cluster.
import { afterAll, beforeAll } from "vitest";
import { Cluster, minute } from "./cluster.ts";
import { testLocalWebhooks } from "./local.ts";
import { type ReplicaTests, testReplicas } from "./replicas.ts";

/**
 * Defines the tests.
 *
 * @param settings `options` are the certificate options except for the names, as code; the others configure the replicas'
 * tests
 */
export function testWebhookCertificates({ options, ...replicas }: { options: string } & ReplicaTests): void {
  const cluster = new Cluster();
  beforeAll(() => cluster.open(options), 3 * minute);
  afterAll(() => cluster.close(), minute);
  testLocalWebhooks(cluster);
  testReplicas(cluster, replicas);
}
