import { describe, expect, it } from "vitest";
import { groupVersion } from "../api/kind.ts";
import { silentLogger } from "../log/logger.ts";
import { Manager } from "../manager/manager.ts";
import type { Defaulter, Validator } from "../webhook/admission/types.ts";
import { noWebhookMetrics } from "../webhook/http/metrics.ts";
import { WebhookServer } from "../webhook/server.ts";
import {
  Ticket,
  TicketDefaulter,
  TicketV1alpha1,
  TicketV1beta1,
  TicketValidator,
  ticketConverter,
} from "../webhook/ticket.fixture.ts";
import { newWebhookManagedBy } from "./webhook-builder.ts";

function setUp() {
  let used = 0;
  const warned: unknown[] = [];
  const webhookServer = WebhookServer.create({
    options: {},
    log: { ...silentLogger, warn: (_message, fields) => void warned.push(fields?.path) },
    metrics: noWebhookMetrics,
    onUsed: () => used++,
  });
  return { host: { webhookServer }, warned, used: () => used, paths: () => webhookServer.paths };
}
const nothing: Defaulter & Validator = {
  default() {},
  validateCreate() {},
  validateUpdate() {},
  validateDelete() {},
};

describe("default paths", () => {
  it.each([
    ["webhook.kubewright.dev", "v1", "Ticket", "webhook-kubewright-dev-v1-ticket"],
    ["", "v1", "Pod", "-v1-pod"],
    ["apps", "v1", "StatefulSet", "apps-v1-statefulset"],
    ["a.b-c.io", "v1alpha1", "HTTPRoute", "a-b-c-io-v1alpha1-httproute"],
  ])("%s/%s %s", async (group, version, name, path) => {
    const { host, paths } = setUp();
    const kind = groupVersion(group, version).kind(name);
    await newWebhookManagedBy(host, kind).withDefaulter(nothing).withValidator(nothing).complete();
    expect(paths()).toEqual([`/mutate-${path}`, `/validate-${path}`]);
  });
});

describe("newWebhookManagedBy", () => {
  it("registers only the webhooks that were passed in", async () => {
    const { host, paths, used } = setUp();
    await newWebhookManagedBy(host, Ticket).complete();
    expect({ paths: paths(), used: used() }).toEqual({ paths: [], used: 0 });
    await newWebhookManagedBy(host, Ticket).withValidator(new TicketValidator()).complete();
    await newWebhookManagedBy(host, Ticket).withDefaulter(new TicketDefaulter()).complete();
    await newWebhookManagedBy(host, Ticket).withConverter(ticketConverter).complete();
    expect(paths()).toEqual([
      "/validate-webhook-kubewright-dev-v1-ticket",
      "/mutate-webhook-kubewright-dev-v1-ticket",
      "/convert",
    ]);
    expect(used()).toBe(1);
  });

  it.each(["/", "/a", "/my/own-path_1", "/A/b"])("accepts the custom path %s", async (path) => {
    const { host, paths } = setUp();
    await newWebhookManagedBy(host, Ticket).withDefaulter(nothing).withDefaulterCustomPath(path).complete();
    await newWebhookManagedBy(host, Ticket)
      .withValidator(nothing)
      .withValidatorCustomPath(`/v${path === "/" ? "" : path}`)
      .complete();
    expect(paths()).toEqual([path, `/v${path === "/" ? "" : path}`]);
  });

  it.each(["", "a", "/a/", "//a", "/a b", "/a?b", "/ä", "/a.b", "/../a", "/a%20b"])(
    "rejects the custom path %j",
    async (path) => {
      const { host } = setUp();
      const message = `customPath "${path}" does not match this regex: ^((/[a-zA-Z0-9-_]+)+|/)$`;
      const builder = () => newWebhookManagedBy(host, Ticket).withDefaulter(nothing).withValidator(nothing);
      await expect(builder().withDefaulterCustomPath(path).complete()).rejects.toThrow(message);
      const other = setUp().host;
      await expect(
        newWebhookManagedBy(other, Ticket).withValidator(nothing).withValidatorCustomPath(path).complete(),
      ).rejects.toThrow(message);
    },
  );

  it("keeps the first of two webhooks on the same path, and logs a warning", async () => {
    const { host, warned, paths } = setUp();
    await newWebhookManagedBy(host, Ticket).withDefaulter(nothing).complete();
    await newWebhookManagedBy(host, Ticket).withDefaulter(nothing).complete();
    expect(paths()).toHaveLength(1);
    expect(warned).toEqual(["/mutate-webhook-kubewright-dev-v1-ticket"]);
  });

  it("serves the converters of several kinds on one path, and rejects a second converter of a kind", async () => {
    const { host, paths } = setUp();
    const kind = (version: string) => groupVersion("other.dev", version).kind("Other");
    const other = { hub: kind("v2"), spokes: [{ kind: kind("v1"), toHub: (x: never) => x, fromHub: (x: never) => x }] };
    await newWebhookManagedBy(host, Ticket).withConverter(ticketConverter).complete();
    await newWebhookManagedBy(host, kind("v1"))
      .withConverter(other as never)
      .complete();
    expect(paths()).toEqual(["/convert"]);
    await expect(newWebhookManagedBy(host, TicketV1beta1).withConverter(ticketConverter).complete()).rejects.toThrow(
      "converter already registered",
    );
  });

  it("requires a kind", () => {
    expect(() => newWebhookManagedBy(setUp().host, undefined as never)).toThrow("must be called with a kind");
  });

  it("derives the parameter types of webhooks from the kind", async () => {
    const { host } = setUp();
    newWebhookManagedBy(host, Ticket)
      .withDefaulter({ default: (_ctx, ticket) => void (ticket.spec.title satisfies string) })
      .withValidator({
        validateCreate: (_ctx, ticket) => [ticket.spec.title],
        validateUpdate: async (_ctx, before, after) => [before.spec.title, after.spec.title],
        validateDelete() {},
      })
      .withConverter({
        hub: Ticket,
        spokes: [
          {
            kind: TicketV1beta1,
            toHub: (ticket) => ({ ...ticket, spec: { title: ticket.spec.title } }),
            fromHub: (ticket) => ({ ...ticket, spec: { title: ticket.spec.title } }),
          },
          {
            kind: TicketV1alpha1,
            toHub: async (ticket) => ({ ...ticket, spec: { title: ticket.spec.name } }),
            fromHub: async (ticket) => ({ ...ticket, spec: { name: ticket.spec.title } }),
          },
        ],
      });
    newWebhookManagedBy(host, TicketV1alpha1).withValidator({
      ...nothing,
      // @ts-expect-error: a validator of another kind
      validateCreate: (_: unknown, t: Ticket) => [t.spec.title],
    });
  });
});

describe("a manager's webhook server", () => {
  const create = (port: number) =>
    Manager.create({ host: "http://127.0.0.1:1" } as never, {
      metrics: { bindAddress: "0" },
      healthProbeBindAddress: "127.0.0.1:0",
      webhook: { host: "127.0.0.1", port },
      logger: silentLogger,
    });
  const readyz = async (mgr: Manager) => (await fetch(`http://127.0.0.1:${mgr.healthProbePort}/readyz?verbose`)).text();

  it("starts with the manager on every replica, and is part of its readiness", async () => {
    const mgr = await create(0);
    await newWebhookManagedBy(mgr, Ticket).withValidator(new TicketValidator()).complete();
    expect(await readyz(mgr)).toContain("[-]webhook-server failed");
    const stop = new AbortController();
    const done = mgr.start(stop.signal);
    await mgr.webhookServer.ready();
    expect(await readyz(mgr)).toContain("[+]webhook-server ok");
    stop.abort();
    await done;
  });

  it("isn't started without webhooks", async () => {
    const mgr = await create(0);
    const stop = new AbortController();
    const done = mgr.start(stop.signal);
    await mgr.elected;
    expect(await readyz(mgr)).not.toContain("webhook");
    expect(mgr.webhookServer.port).toBeUndefined();
    await expect(mgr.webhookServer.startedChecker(undefined as never)).resolves.toBeUndefined();
    stop.abort();
    await done;
  });

  it("starts immediately when the first webhook is added to a running manager", async () => {
    const mgr = await create(0);
    const stop = new AbortController();
    const done = mgr.start(stop.signal);
    await mgr.elected;
    await newWebhookManagedBy(mgr, Ticket).withValidator(new TicketValidator()).complete();
    await mgr.webhookServer.ready();
    expect(mgr.webhookServer.port).toBeGreaterThan(0);
    stop.abort();
    await done;
  });

  it("stops the manager if it can't start", async () => {
    const holder = await create(0);
    await newWebhookManagedBy(holder, Ticket).withValidator(new TicketValidator()).complete();
    const stop = new AbortController();
    const held = holder.start(stop.signal);
    await holder.webhookServer.ready();
    const mgr = await create(holder.webhookServer.port ?? 0);
    await newWebhookManagedBy(mgr, Ticket).withValidator(new TicketValidator()).complete();
    await expect(mgr.start(new AbortController().signal)).rejects.toThrow("EADDRINUSE");
    stop.abort();
    await held;
  });
});
