import { expect, it, onTestFinished } from "vitest";
import { type ApiServer, startApiServer } from "../server/server.ts";

const maps = "/api/v1/namespaces/default/configmaps";

async function start(): Promise<ApiServer> {
  const server = await startApiServer({ http: false, authorization: "always-allow" });
  onTestFinished(() => server.stop());
  return server;
}

async function send(server: ApiServer, method: string, url: string, body?: object) {
  const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
  const text = body ? { body: JSON.stringify(body) } : {};
  const answer = await server.handle({ method, url, headers: { "content-type": type }, ...text });
  return JSON.parse(String(answer.body));
}

const nameOf = ({ metadata }: { metadata: { name: string } }) => metadata.name;

it.each([
  ["no longer refers to it", () => []],
  ["no longer blocks its deletion", (reference: object) => [{ ...reference, blockOwnerDeletion: false }]],
])("finishes a foreground deletion when a dependent %s", async (_, change) => {
  const server = await start();
  const { metadata: owner } = await send(server, "POST", maps, { metadata: { name: "owner" } });
  const reference = { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: owner.uid, blockOwnerDeletion: true };
  const metadata = { name: "dependent", finalizers: ["example.com/f"], ownerReferences: [reference] };
  await send(server, "POST", maps, { metadata });
  await send(server, "DELETE", `${maps}/owner`, { propagationPolicy: "Foreground" });
  await expect
    .poll(async () => (await send(server, "GET", `${maps}/dependent`)).metadata.deletionTimestamp)
    .toBeDefined();
  expect((await send(server, "GET", `${maps}/owner`)).metadata.finalizers).toEqual(["foregroundDeletion"]);
  await send(server, "PATCH", `${maps}/dependent`, { metadata: { ownerReferences: change(reference) } });
  await expect.poll(async () => (await send(server, "GET", `${maps}/owner`)).code).toBe(404);
});

/** Creates objects, each of which is owned by the one before, and the first by the last. */
async function createCircle(server: ApiServer, count: number): Promise<void> {
  const names = Array.from({ length: count }, (_, index) => `c${index}`);
  const uids: string[] = [];
  for (const name of names) uids.push((await send(server, "POST", maps, { metadata: { name } })).metadata.uid);
  for (const [index, name] of names.entries()) {
    const owner = (index + count - 1) % count;
    const reference = { apiVersion: "v1", kind: "ConfigMap", name: names[owner], uid: uids[owner] };
    const ownerReferences = [{ ...reference, blockOwnerDeletion: true }];
    await send(server, "PATCH", `${maps}/${name}`, { metadata: { ownerReferences } });
  }
}

it.each([2, 3, 5])("deletes a circle of %d owners in the foreground", async (count) => {
  const server = await start();
  await createCircle(server, count);
  await send(server, "DELETE", `${maps}/c0`, { propagationPolicy: "Foreground" });
  await expect.poll(async () => (await send(server, "GET", maps)).items.map(nameOf)).toEqual([]);
});

it("leaves an object that owns itself, and blocks its own deletion, to its user, like kube-controller-manager", async () => {
  const server = await start();
  await createCircle(server, 1);
  await send(server, "DELETE", `${maps}/c0`, { propagationPolicy: "Foreground" });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect((await send(server, "GET", `${maps}/c0`)).metadata.finalizers).toEqual(["foregroundDeletion"]);
});

it("looks at a dependent again only when its owners change", async () => {
  let looks = 0;
  const delay = () => {
    looks++;
    return 0;
  };
  const controllers = { garbageCollector: { delay } };
  const server = await startApiServer({ http: false, authorization: "always-allow", controllers });
  onTestFinished(() => server.stop());
  const { metadata: owner } = await send(server, "POST", maps, { metadata: { name: "owner" } });
  const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: owner.uid }];
  await send(server, "POST", maps, { metadata: { name: "dependent", ownerReferences } });
  await expect.poll(() => looks).toBe(1);
  // The queue is empty when the first look has ended.
  await new Promise((resolve) => setTimeout(resolve, 20));
  await send(server, "PATCH", `${maps}/dependent`, { data: { changed: "yes" } });
  expect(looks).toBe(1);
  await send(server, "DELETE", `${maps}/owner`);
  await expect.poll(async () => (await send(server, "GET", `${maps}/dependent`)).code).toBe(404);
});
