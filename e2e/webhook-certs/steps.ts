// A scaffolded project whose managers make their webhooks' certificates, on a laptop and in a cluster.
import { afterAll, beforeAll } from "vitest";
import { Cluster, minute } from "./cluster.ts";
import { testLocalWebhooks } from "./local.ts";
import { type ReplicaTests, testReplicas } from "./replicas.ts";

/**
 * The tests.
 *
 * @param settings `options` of the certificates beside the names, as code; whether by these they come of age, and how much is called
 */
export function testWebhookCertificates({ options, ...replicas }: { options: string } & ReplicaTests): void {
  const cluster = new Cluster();
  beforeAll(() => cluster.open(options), 3 * minute);
  afterAll(() => cluster.close(), minute);
  testLocalWebhooks(cluster);
  testReplicas(cluster, replicas);
}
