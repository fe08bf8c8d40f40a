// The objects that the replicas share: records in many namespaces, each with a ConfigMap that it owns.
import type { Config } from "@kubewright/runtime";
import { Client, connections } from "../lib/embedded-server.ts";
import { inParallel } from "../lib/parallel.ts";

const group = "bench.kubewright.dev";
const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `records.${group}` },
  spec: {
    group,
    scope: "Namespaced",
    names: { kind: "Record", listKind: "RecordList", plural: "records", singular: "record" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec: { type: "object", properties: { text: { type: "string" } } } },
          },
        },
      },
    ],
  },
};
/** Makes an object about as large as a small one of real operators. */
const text = "records of a benchmark ".repeat(20);

async function createRecord(client: Client, name: string, namespace: string): Promise<void> {
  const record = { apiVersion: `${group}/v1`, kind: "Record", metadata: { name }, spec: { text } };
  const answer = await client.send("POST", `/apis/${group}/v1/namespaces/${namespace}/records`, record);
  const { metadata } = JSON.parse(String(answer)) as { metadata: { uid: string } };
  const owner = { apiVersion: `${group}/v1`, kind: "Record", name, uid: metadata.uid, controller: true };
  const child = { metadata: { name, ownerReferences: [owner] }, data: { text } };
  await client.send("POST", `/api/v1/namespaces/${namespace}/configmaps`, child);
}

/** Creates the definition, so that a manager without objects can start. */
export async function createDefinition(config: Config): Promise<void> {
  const client = new Client(config);
  await client.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
  client.close();
}

/** Deletes the Leases of earlier replicas, so that the next ones begin as those of a new operator. */
export async function deleteLeases(config: Config): Promise<void> {
  const client = new Client(config);
  await client.send("DELETE", "/apis/coordination.k8s.io/v1/namespaces/default/leases");
  client.close();
}

/** Creates the objects, with the same number in each namespace. */
export async function createRecords(config: Config, objects: number, namespaces: number): Promise<void> {
  const client = new Client(config);
  const nameOf = (number: number): string => `team-${number % namespaces}`;
  await inParallel(namespaces, connections, (number) =>
    client.send("POST", "/api/v1/namespaces", { metadata: { name: nameOf(number) } }),
  );
  await inParallel(objects, connections, (number) => createRecord(client, `record-${number}`, nameOf(number)));
  client.close();
}
