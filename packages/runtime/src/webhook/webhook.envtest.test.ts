import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fullTest } from "../../../../scripts/test-support/full-test.ts";
import type { Kind } from "../api/kind.ts";
import { newWebhookManagedBy } from "../builder/webhook-builder.ts";
import type { Client } from "../client/client.ts";
import type { Config } from "../config/config.ts";
import { TestEnvironment } from "../envtest/index.ts";
import { ignoreNotFound } from "../errors/predicates.ts";
import { type Logger, silentLogger } from "../log/logger.ts";
import { Manager } from "../manager/manager.ts";
import { ConfigMap, eventually } from "../manager/widget.fixture.ts";
import { createTransport } from "../transport/create-transport.ts";
import { allowed } from "./admission/response.ts";
import type { ValidationResult } from "./admission/types.ts";
import { configMapConfiguration, map, refusal } from "./environment.fixture.ts";
import {
  mutatingConfiguration,
  storedAs,
  Ticket,
  TicketDefaulter,
  TicketV1alpha1,
  TicketV1beta1,
  TicketValidator,
  ticket,
  ticketConverter,
  validatingConfiguration,
} from "./ticket.fixture.ts";

const environment = new TestEnvironment({
  crds: [storedAs("v1")],
  webhookInstallOptions: {
    mutatingWebhooks: [mutatingConfiguration],
    validatingWebhooks: [validatingConfiguration, configMapConfiguration],
  },
});
let config: Config;
let mgr: Manager;
let client: Client;
const warnings: string[] = [];
const stop = new AbortController();
let done: Promise<void>;
const defaulter = new TicketDefaulter();
const aborted: string[] = [];

beforeAll(async () => {
  config = await environment.start();
  const {
    localServingHost: host,
    localServingPort: port,
    localServingCertDir: certDir,
  } = environment.webhookInstallOptions;
  mgr = await Manager.create(config, {
    webhook: { host, port, certDir },
    metrics: { bindAddress: "127.0.0.1:0" },
    logger: { ...silentLogger, with: () => silentLogger, info: () => {} },
    transport: createTransport(config, {
      logger: {
        ...silentLogger,
        info: () => {},
        warn: (message) => void warnings.push(message),
      },
    }),
  });
  client = mgr.client;
  await newWebhookManagedBy(mgr, Ticket)
    .withDefaulter(defaulter)
    .withValidator(new TicketValidator())
    .withConverter(ticketConverter)
    .complete();
  await newWebhookManagedBy(mgr, ConfigMap)
    .withValidator({
      validateCreate(_ctx, map): ValidationResult {
        if (map.data?.color === "red") throw new Error("data.color: red is taken");
      },
      validateUpdate() {},
      validateDelete() {},
    })
    .complete();
  mgr.webhookServer.register("/slow", {
    handle: (ctx) =>
      new Promise((resolve) => {
        ctx.signal.addEventListener("abort", () => {
          aborted.push(String(ctx.signal.reason));
          setTimeout(() => resolve(allowed()), 500);
        });
      }),
  });
  done = mgr.start(stop.signal);
  done.catch(() => {});
  await mgr.webhookServer.ready();
  // The API server uses configurations a moment after they are stored.
  await eventually(async () => {
    const made = await client.create(ticket("warm-up", { title: "x" }), { dryRun: true });
    expect(made.spec.seats).toBe(1);
  });
});

afterAll(async () => {
  stop.abort();
  await done;
  await environment.stop();
});

describe("a defaulter that kube-apiserver calls", () => {
  it("W5: sets missing fields, and keeps others, even big integers", async () => {
    const made = await client.create(ticket("defaulted", { title: "opera", id: 9007199254740993n }));
    expect(made.spec).toEqual({ title: "opera", seats: 1, id: 9007199254740993n });
  });

  it("receives the operation, the user and the dryRun setting", async () => {
    defaulter.requests.length = 0;
    await client.create(ticket("asked", { title: "x" }), { dryRun: true });
    expect(defaulter.requests[0]).toMatchObject({
      operation: "CREATE",
      dryRun: true,
      namespace: "default",
      name: "asked",
      userInfo: { username: "admin" },
      resource: { group: "webhook.kubewright.dev", version: "v1", resource: "tickets" },
    });
  });

  it("W3: denies by throwing", async () => {
    expect(await refusal(client.create(ticket("no", { title: "no default" })))).toMatchObject({
      code: 403,
      reason: "Forbidden",
      message: 'admission webhook "mticket.kubewright.dev" denied the request: this title has no defaults',
    });
  });

  it("isn't called for subresources that its rules don't contain", async () => {
    const made = await client.create(ticket("status", { title: "x" }));
    defaulter.requests.length = 0;
    const stored = await client.status.update({ ...made, status: { sold: true } });
    expect(stored.status).toEqual({ sold: true });
    expect(defaulter.requests).toEqual([]);
  });
});

describe("a validator that kube-apiserver calls", () => {
  it("W3: denies with a message", async () => {
    expect(await refusal(client.create(ticket("denied", { title: "forbidden" })))).toMatchObject({
      code: 403,
      reason: "Forbidden",
      message: 'admission webhook "vticket.kubewright.dev" denied the request: spec.title: nobody may sell that',
    });
  });

  it("W3: denies with the status and the fields of an ApiError", async () => {
    const { code, reason, message, details } = await refusal(client.create(ticket("big", { title: "x", seats: 11 })));
    expect({ code, reason }).toEqual({ code: 422, reason: "Invalid" });
    expect(message).toContain('Ticket.webhook.kubewright.dev "big" is invalid: spec.seats: Invalid value: at most 10');
    expect(details).toMatchObject({ name: "big", kind: "Ticket", causes: [{ field: "spec.seats" }] });
  });

  it("returns warnings", async () => {
    warnings.length = 0;
    await client.create(ticket("warned", { title: "x", seats: 9 }));
    expect(warnings.join("\n")).toContain("spec.seats: more than 8 are seldom free");
  });

  it("W3: denies and returns warnings at the same time", async () => {
    warnings.length = 0;
    expect(await refusal(client.create(ticket("both", { title: "warned and denied" })))).toMatchObject({ code: 403 });
    expect(warnings.join("\n")).toMatch(/first[\s\S]*second/);
  });

  it("receives the old and the new object of an update", async () => {
    const made = await client.create(ticket("renamed", { title: "before" }));
    expect(await refusal(client.update({ ...made, spec: { ...made.spec, title: "after" } }))).toMatchObject({
      message: 'admission webhook "vticket.kubewright.dev" denied the request: spec.title: can\'t be changed',
    });
    await client.update({ ...made, spec: { ...made.spec, seats: 3 } });
  });

  it("W4: receives the stored object of a deletion", async () => {
    const kept = await client.create(ticket("kept", { title: "memory" }, { keep: "true" }));
    expect(await refusal(client.delete(kept))).toMatchObject({
      message: 'admission webhook "vticket.kubewright.dev" denied the request: memory is kept',
    });
    warnings.length = 0;
    await client.delete(await client.create(ticket("gone", { title: "moment" })));
    expect(warnings.join("\n")).toContain("moment is gone");
  });

  it("is called for built-in kinds, on a path with a double dash", async () => {
    await client.create(map("blue", "core", { color: "blue" }));
    expect(await refusal(client.create(map("red", "core", { color: "red" })))).toMatchObject({
      code: 403,
      message: 'admission webhook "core.kubewright.dev" denied the request: data.color: red is taken',
    });
  });

  it("W2: responds to reviews of v1beta1", async () => {
    await client.create(map("blue-beta", "beta", { color: "blue" }));
    expect(await refusal(client.create(map("red-beta", "beta", { color: "red" })))).toMatchObject({
      message: 'admission webhook "beta.kubewright.dev" denied the request: data.color: red is taken',
    });
  });

  it.skipIf(process.env.KUBEWRIGHT_WITHOUT_KUBECTL === "true")(
    "returns warnings and denials that kubectl prints",
    async () => {
      const kubectl = (...args: string[]) =>
        promisify(execFile)(process.env.KUBECTL ?? "kubectl", [
          "--kubeconfig",
          environment.kubeconfigPath,
          ...args,
        ]).then(
          ({ stdout, stderr }) => ({ failed: false, stdout, stderr }),
          (error: { stdout: string; stderr: string }) => ({ failed: true, stdout: error.stdout, stderr: error.stderr }),
        );
      const apply = async (object: Ticket) => {
        const file = join(environment.webhookInstallOptions.localServingCertDir, `${object.metadata.name}.json`);
        writeFileSync(file, JSON.stringify(object));
        return kubectl("create", "-f", file);
      };
      const warned = await apply(ticket("kubectl-warned", { title: "x", seats: 9 }));
      expect(warned.stderr).toContain("Warning: spec.seats: more than 8 are seldom free");
      expect(warned.stdout).toContain("created");
      const denied = await apply(ticket("kubectl-denied", { title: "x", seats: 12 }));
      expect(denied.failed).toBe(true);
      expect(denied.stderr).toContain("spec.seats: Invalid value: at most 10");
    },
  );
});

describe("a failed call of a webhook", () => {
  it("rejects the request with the policy Fail after the timeout, and aborts the handler's signal", async () => {
    aborted.length = 0;
    const { code, message } = await refusal(client.create(map("slow-1", "slow-fail")));
    expect(code).toBe(500);
    expect(message).toMatch(/failed calling webhook "slow-fail.kubewright.dev"/);
    await eventually(() => expect(aborted).toHaveLength(1));
  });

  it("is ignored with the policy Ignore", async () => {
    await client.create(map("slow-2", "slow-ignore"));
  });

  it("is also caused by an unknown path", async () => {
    const { message } = await refusal(client.create(map("absent-1", "absent-fail")));
    expect(message).toMatch(/failed calling webhook "absent-fail.kubewright.dev"/);
    await client.create(map("absent-2", "absent-ignore"));
  });
});

describe("a conversion that kube-apiserver requests", { sequential: true }, () => {
  const versions = { v1: Ticket, v1beta1: TicketV1beta1, v1alpha1: TicketV1alpha1 };
  const inV1 = { title: "opera", seats: 2, price: { amount: 30, currency: "EUR" }, id: 9007199254740993n };
  const inV1beta1 = { title: "opera", seats: 2, price: "30 EUR", id: 9007199254740993n };
  const inV1alpha1 = { name: "opera", seats: 2, id: 9007199254740993n };
  const specs = { v1: inV1, v1beta1: inV1beta1, v1alpha1: inV1alpha1 };
  const names = Object.keys(versions) as (keyof typeof versions)[];

  it.each(names)("W7: returns objects of each version from the storage version %s", async (stored) => {
    await environment.installCRDs({ crds: [storedAs(stored)] });
    const etcdVersion = async () => {
      const crd = await mgr.apiReader.get(
        {
          group: "apiextensions.k8s.io",
          version: "v1",
          kind: "CustomResourceDefinition",
          apiVersion: "apiextensions.k8s.io/v1",
        },
        { namespace: "", name: "tickets.webhook.kubewright.dev" },
      );
      return (crd as never as { spec: { versions: { name: string; storage: boolean }[] } }).spec.versions.find(
        ({ storage }) => storage,
      )?.name;
    };
    expect(await etcdVersion()).toBe(stored);
    for (const written of names) {
      const name = `stored-${stored}-written-${written}`;
      const annotations =
        written === "v1alpha1" ? { "webhook.kubewright.dev/price": JSON.stringify(inV1.price) } : undefined;
      await eventually(async () => {
        await ignoreNotFound(client.delete(Ticket, { namespace: "default", name }));
        await client.create({
          apiVersion: versions[written].apiVersion,
          kind: "Ticket",
          metadata: { name, namespace: "default", labels: { stored }, ...(annotations ? { annotations } : {}) },
          spec: specs[written],
        } as Ticket);
      });
      for (const read of names) {
        const ticket = await client.get(versions[read] as Kind<Ticket>, { namespace: "default", name });
        expect(ticket.apiVersion).toBe(`webhook.kubewright.dev/${read}`);
        expect(ticket.spec).toEqual(specs[read]);
      }
    }
    for (const read of names) {
      const { items } = await client.list<Ticket>(versions[read] as never, {
        namespace: "default",
        labels: { stored },
      });
      expect(items.map(({ spec }) => spec)).toEqual(names.map(() => specs[read]));
    }
  });

  it("W7: returns the message of a failure to the user", async () => {
    await environment.installCRDs({ crds: [storedAs("v1")] });
    await eventually(async () => {
      const { message } = await refusal(
        client.create({
          apiVersion: TicketV1alpha1.apiVersion,
          kind: "Ticket",
          metadata: { name: "lost", namespace: "default" },
          spec: { name: "unconvertible" },
        } as TicketV1alpha1),
      );
      expect(message).toContain("spec.name: nobody knows what that is");
    });
  });
});

fullTest("the webhooks respond to 200 simultaneous requests", async () => {
  const times: number[] = [];
  await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const start = performance.now();
      const made = await client.create(ticket(`many-${index}`, { title: `t${index}` }), { dryRun: true });
      times.push(performance.now() - start);
      expect(made.spec).toEqual({ title: `t${index}`, seats: 1 });
    }),
  );
  times.sort((a, b) => a - b);
  const metrics = await mgr.metrics!.registry.metrics();
  expect(metrics).toMatch(
    /controller_runtime_webhook_requests_total\{webhook="\/mutate-webhook-kubewright-dev-v1-ticket",code="200"\} [1-9]/,
  );
  const at = (share: number) => times[Math.ceil(times.length * share) - 1]!.toFixed(0);
  const spent = (name: string) =>
    [
      ...metrics.matchAll(
        new RegExp(`webhook_latency_seconds_${name}\\{webhook="/(?:mutate|validate)-webhook.*\\} (.*)`, "g"),
      ),
    ]
      .map(([, value]) => Number(value))
      .reduce((sum, value) => sum + value, 0);
  const mean = ((1000 * spent("sum")) / spent("count")).toFixed(1);
  console.info(`${spent("count")} webhook calls, ${mean} ms each on this side`);
  console.info(`200 concurrent creations through two webhooks: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`);
});

it("M1: a standby replica serves webhooks before its caches, whose lists need their conversion", async () => {
  stop.abort();
  await done;
  const transport = createTransport(config);
  await transport.request({
    method: "POST",
    path: "/apis/coordination.k8s.io/v1/namespaces/default/leases",
    body: {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { name: "held", namespace: "default" },
      spec: {
        holderIdentity: "somebody else",
        leaseDurationSeconds: 3600,
        renewTime: new Date().toISOString().replace("Z", "000Z"),
      },
    },
  });
  await transport.close();
  const errors: unknown[] = [];
  const logger: Logger = { ...silentLogger, error: (error) => void errors.push(error), with: () => logger };
  const {
    localServingHost: host,
    localServingPort: port,
    localServingCertDir: certDir,
  } = environment.webhookInstallOptions;
  const replica = await Manager.create(config, {
    webhook: { host, port, certDir },
    metrics: { bindAddress: "0" },
    leaderElection: true,
    leaderElectionID: "held",
    leaderElectionNamespace: "default",
    logger,
  });
  await newWebhookManagedBy(replica, Ticket).withConverter(ticketConverter).complete();
  const informer = replica.cache.inform(TicketV1alpha1);
  const end = new AbortController();
  const ended = replica.start(end.signal);
  await expect.poll(() => informer.hasSynced).toBe(true);
  const { items } = await replica.client.list(TicketV1alpha1, { namespace: "default" });
  expect(items.length).toBeGreaterThan(9);
  expect(items.every(({ spec }) => spec.name !== undefined)).toBe(true);
  expect(errors).toEqual([]);
  end.abort();
  await ended;
});
