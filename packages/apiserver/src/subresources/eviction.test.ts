import { afterEach, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../server/server.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests read fields of all kinds
type Body = any;

let server: ApiServer;
afterEach(() => server.stop());

async function send(method: string, path: string, body?: object): Promise<Body> {
  const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
  const answer = await server.handle({
    method,
    url: path,
    headers: { "content-type": type },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return JSON.parse(String(answer.body));
}

const pods = "/api/v1/namespaces/default/pods";
const budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
const evict = (name: string, more: object = {}, query = ""): Promise<Body> =>
  send("POST", `${pods}/${name}/eviction${query}`, {
    apiVersion: "policy/v1",
    kind: "Eviction",
    metadata: { name },
    ...more,
  });

/** Starts a server with a Pod in a phase. */
async function startWithPod(phase: string, ready = "True"): Promise<void> {
  server = await startApiServer({ http: false, authorization: "always-allow" });
  const metadata = { name: "a", labels: { app: "a" } };
  const spec = { containers: [{ name: "c", image: "busybox" }] };
  await send("POST", pods, { apiVersion: "v1", kind: "Pod", metadata, spec });
  const conditions = [{ type: "Ready", status: ready }];
  await send("PATCH", `${pods}/a/status`, { status: { phase, conditions } });
}

async function createBudget(status: object, spec: object = {}): Promise<Body> {
  const selector = { matchLabels: { app: "a" } };
  const metadata = { name: "budget" };
  await send("POST", budgets, {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata,
    spec: { selector, ...spec },
  });
  const counts = {
    currentHealthy: 1,
    desiredHealthy: 1,
    expectedPods: 1,
    disruptionsAllowed: 0,
    observedGeneration: 1,
  };
  return send("PATCH", `${budgets}/budget/status`, { status: { ...counts, ...status } });
}

it("deletes a Pod without a budget, and checks the name", async () => {
  await startWithPod("Running");
  expect(await evict("a", { metadata: { name: "b" } })).toMatchObject({
    code: 400,
    message: "name in URL does not match name in Eviction object",
  });
  expect((await evict("none")).message).toBe('pods "none" not found');
  expect((await evict("a", {}, "?dryRun=All")).status).toBe("Success");
  expect((await evict("a", { deleteOptions: { dryRun: ["All"] } })).status).toBe("Success");
  expect((await evict("a", { apiVersion: "policy/v1beta1" }, "?dryRun=All")).status).toBe("Success");
  expect((await send("GET", `${pods}/a`)).status.conditions).toHaveLength(1);
  expect(await evict("a")).toEqual({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 });
  expect((await send("GET", `${pods}/a`)).reason).toBe("NotFound");
});

it("records the reason once in a Pod that remains because of finalizers", async () => {
  await startWithPod("Running");
  await send("PATCH", `${pods}/a`, { metadata: { finalizers: ["example.com/x"] } });
  for (let round = 0; round < 2; round++) {
    expect((await evict("a")).status).toBe("Success");
    const { metadata, status } = await send("GET", `${pods}/a`);
    expect(metadata.deletionTimestamp).toBeDefined();
    expect(status.conditions.slice(1)).toMatchObject([
      { type: "DisruptionTarget", status: "True", reason: "EvictionByEvictionAPI", message: "Eviction API: evicting" },
    ]);
  }
});

it("returns 429 and the reason if a budget allows no disruption", async () => {
  await startWithPod("Running");
  await createBudget({});
  expect(await evict("a")).toMatchObject({
    code: 429,
    reason: "TooManyRequests",
    message: "Cannot evict pod as it would violate the pod's disruption budget.",
    details: {
      causes: [
        {
          reason: "DisruptionBudget",
          message: "The disruption budget budget needs 1 healthy pods and has 1 currently",
        },
      ],
    },
  });
  await send("PATCH", `${budgets}/budget/status`, { status: { observedGeneration: 0 } });
  expect((await evict("a")).details).toEqual({
    causes: [
      { reason: "DisruptionBudget", message: "The disruption budget budget is still being processed by the server." },
    ],
    retryAfterSeconds: 10,
  });
  const failed = { type: "DisruptionAllowed", status: "False", reason: "SyncFailed", message: "no scale" };
  const lastTransitionTime = "2026-01-01T00:00:00Z";
  await send("PATCH", `${budgets}/budget/status`, {
    status: { observedGeneration: 1, conditions: [{ ...failed, lastTransitionTime }] },
  });
  expect((await evict("a")).details.causes[0].message).toBe(
    "The disruption budget budget does not allow evicting pods currently because it failed sync: no scale",
  );
});

it("decrements the allowed disruptions of the budget", async () => {
  await startWithPod("Running");
  await createBudget({ disruptionsAllowed: 1, currentHealthy: 2 });
  expect((await evict("a", {}, "?dryRun=All")).status).toBe("Success");
  expect((await send("GET", `${budgets}/budget`)).status.disruptionsAllowed).toBe(1);
  expect((await evict("a")).status).toBe("Success");
  const { status, metadata } = await send("GET", `${budgets}/budget`);
  expect(status).toMatchObject({
    disruptionsAllowed: 0,
    disruptedPods: { a: expect.any(String) },
    conditions: [{ type: "DisruptionAllowed", status: "False", reason: "InsufficientPods" }],
  });
  expect(metadata.managedFields).toContainEqual(
    expect.objectContaining({ manager: "kube-apiserver", operation: "Update", subresource: "status" }),
  );
});

it("ignores the budget for pending, finished and unneeded Pods", async () => {
  for (const [phase, ready, spec] of [
    ["Pending", "False", {}],
    ["Succeeded", "False", {}],
    ["Running", "False", { unhealthyPodEvictionPolicy: "AlwaysAllow" }],
    ["Running", "False", {}],
  ] as const) {
    await server?.stop();
    await startWithPod(phase, ready);
    await createBudget({}, spec);
    expect((await evict("a")).status).toBe("Success");
    expect((await send("GET", `${pods}/a`)).reason).toBe("NotFound");
  }
});

it("fails if two budgets match, and if a precondition doesn't hold", async () => {
  await startWithPod("Running");
  expect((await evict("a", { deleteOptions: { preconditions: { uid: "x" } } })).message).toMatch(
    'Operation cannot be fulfilled on Pod "a": the UID in the precondition (x) does not match the UID in record',
  );
  await createBudget({});
  const metadata = { name: "other" };
  const spec = { selector: {} };
  await send("POST", budgets, { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata, spec });
  expect(await evict("a")).toMatchObject({
    status: "Failure",
    code: 500,
    message: "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
  });
});
