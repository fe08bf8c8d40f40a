import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { KubernetesObject } from "../api/index.ts";
import type { Client } from "../client/index.ts";
import { TestEnvironment } from "../envtest/index.ts";
import { eventually, Widget, widget, widgetCRD } from "../manager/widget.fixture.ts";
import { HttpProxy } from "./http-proxy.ts";
import { directClient, type RunningOperator, startOperator } from "./operator.ts";
import type { SeenRequest, Treatment } from "./treatment.ts";

const environment = new TestEnvironment({ crds: [widgetCRD] });
const rejections: unknown[] = [];
const onRejection = (reason: unknown): void => void rejections.push(reason);
let client: Client;
let closeClient: () => Promise<void>;

beforeAll(async () => {
  const direct = directClient(await environment.start());
  client = direct.client;
  closeClient = direct.close;
  process.on("unhandledRejection", onRejection);
});

afterAll(async () => {
  process.off("unhandledRejection", onRejection);
  await closeClient();
  await environment.stop();
});

interface Scene {
  namespace: string;
  proxy: HttpProxy;
  operator: RunningOperator;
  color(name: string): Promise<string | undefined>;
}

/** An operator behind a proxy, in a namespace of its own. */
async function inScene(namespace: string, act: (scene: Scene) => Promise<void>): Promise<void> {
  await client.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } } as KubernetesObject);
  const proxy = await HttpProxy.start({ upstream: environment.config });
  const operator = await startOperator(proxy.config, { cache: { defaultNamespaces: { [namespace]: {} } } });
  const color = async (name: string): Promise<string | undefined> =>
    (await client.get(Widget, { namespace, name })).status?.color;
  try {
    await client.create(widget("before", "red", namespace));
    await eventually(async () => expect(await color("before")).toBe("red"));
    await act({ namespace, proxy, operator, color });
  } finally {
    await operator.stop();
    await proxy.close();
  }
}

const isWidgetRead = ({ method, path }: SeenRequest): boolean => method === "GET" && path.includes("/widgets");
const status = (code: number, reason: string) =>
  JSON.stringify({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", reason, code, message: reason });
const page = "<!DOCTYPE html><html><body><h1>Sign in</h1></body></html>";

interface Case {
  name: string;
  treatment: Treatment;
  /** What the log line says. */
  says: RegExp;
}

const cases: Case[] = [
  { name: "500", treatment: { answer: { status: 500, body: status(500, "InternalError") } }, says: /InternalError/ },
  { name: "503 without a body", treatment: { answer: { status: 503 } }, says: /503 Service Unavailable/ },
  {
    name: "502 with a page of a load balancer",
    treatment: { answer: { status: 502, headers: { "content-type": "text/html" }, body: page } },
    says: /502 Bad Gateway: Sign in/,
  },
  {
    name: "200 with a login page",
    treatment: { answer: { status: 200, headers: { "content-type": "text/html" }, body: page } },
    says: /something else than JSON \(text\/html\): Sign in/,
  },
  { name: "200 with an empty object", treatment: { answer: { status: 200, body: "{}" } }, says: /no event|no list/ },
  { name: "200 with garbage", treatment: { answer: { status: 200, body: "\u0000\u0001%%%\n" } }, says: /no JSON/ },
  { name: "an answer cut within an event", treatment: { cut: { after: 60, how: "end" } }, says: /no JSON/ },
  {
    name: "an answer that breaks off with a reset",
    treatment: { cut: { after: 60, how: "reset" } },
    says: /ECONNRESET|closed/,
  },
  {
    name: "an answer that breaks off half-closed",
    treatment: { cut: { after: 60, how: "half-close" } },
    says: /closed|terminated/,
  },
];

describe("an API server whose answers are bad", () => {
  it.concurrent.each(cases)("I5: $name: one line, back-off, recovery", async ({ name, treatment, says }) => {
    const namespace = `bad-${cases.findIndex((one) => one.name === name)}`;
    await inScene(namespace, async ({ proxy, operator, color }) => {
      operator.lines.length = 0;
      proxy.requests.length = 0;
      proxy.fault = (request) => (isWidgetRead(request) ? treatment : undefined);
      proxy.cutWatches("end");
      await client.create(widget("during", "blue", namespace));
      await sleep(3000);
      const attempts = proxy.requests.filter(isWidgetRead).length;
      proxy.fault = undefined;
      await eventually(async () => expect(await color("during")).toBe("blue"));
      await client.create(widget("after", "green", namespace));
      await eventually(async () => expect(await color("after")).toBe("green"));
      const trouble = operator.lines.filter(
        ({ level, kind }) => level !== "debug" && level !== "info" && kind === "Widget",
      );
      expect(trouble.map(({ error }) => error)).toEqual([expect.stringMatching(says)]);
      expect(attempts).toBeGreaterThan(0);
      expect(attempts).toBeLessThan(15);
    });
  });

  it("leaves no promise that is rejected with nobody listening", () => {
    expect(rejections).toEqual([]);
  });
});
