import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { TestEnvironment } from "../../src/envtest/index.ts";
import { widgetCRD } from "../../src/manager/widget.fixture.ts";
import { directClient } from "./operator.ts";
import { inScene } from "./scene.ts";
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

const isWidgetRead = ({ method, path }: SeenRequest): boolean => method === "GET" && path.includes("/widgets");
const status = (code: number, reason: string): string =>
  JSON.stringify({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", reason, code, message: reason });
const page = "<!DOCTYPE html><html><body><h1>Sign in</h1></body></html>";
const html = { "content-type": "text/html" };

interface Case {
  name: string;
  treatment: Treatment;
  /** The expected text of the log line. */
  message: RegExp;
}

const cases: Case[] = [
  { name: "500", treatment: { answer: { status: 500, body: status(500, "InternalError") } }, message: /InternalError/ },
  { name: "503 without a body", treatment: { answer: { status: 503 } }, message: /503 Service Unavailable/ },
  {
    name: "502 with the HTML page of a load balancer",
    treatment: { answer: { status: 502, headers: html, body: page } },
    message: /502 Bad Gateway: Sign in/,
  },
  {
    name: "200 with a login page",
    treatment: { answer: { status: 200, headers: html, body: page } },
    message: /something else than JSON \(text\/html\): Sign in/,
  },
  { name: "200 with an empty object", treatment: { answer: { status: 200, body: "{}" } }, message: /an invalid event/ },
  {
    name: "200 with garbage",
    treatment: { answer: { status: 200, body: "\u0000\u0001%%%\n" } },
    message: /isn.t JSON/,
  },
  {
    name: "200 with a binary response",
    treatment: {
      answer: { status: 200, headers: { "content-type": "application/vnd.kubernetes.protobuf" }, body: "k8s\0" },
    },
    message: /something else than JSON \(application\/vnd.kubernetes.protobuf\)/,
  },
  {
    name: "a response that ends within an event",
    treatment: { cut: { after: 60, how: "end" } },
    message: /isn.t JSON/,
  },
  {
    name: "a reset in the middle of the response",
    treatment: { cut: { after: 60, how: "reset" } },
    message: /ECONNRESET|closed/,
  },
  {
    name: "a FIN in the middle of the response",
    treatment: { cut: { after: 60, how: "half-close" } },
    message: /closed|terminated/,
  },
  { name: "connections that are reset immediately", treatment: { refused: true }, message: /ECONNRESET|closed/ },
];

describe("an operator with faulty responses of the API server", () => {
  it.concurrent.each(cases)(
    "I5: logs one line, backs off and recovers: $name",
    async ({ name, treatment, message }) => {
      const namespace = `bad-${cases.findIndex((one) => one.name === name)}`;
      await inScene({ environment, client, namespace }, async ({ proxy, operator, trouble, paint, reconciled }) => {
        operator.lines.length = 0;
        proxy.requests.length = 0;
        proxy.fault = (request) => (isWidgetRead(request) ? treatment : undefined);
        proxy.cutWatches("end");
        await paint("during", "blue");
        await sleep(3000);
        const attempts = proxy.requests.filter(isWidgetRead).length;
        proxy.fault = undefined;
        await reconciled("during", "blue");
        await paint("after", "green");
        await reconciled("after", "green");
        expect(trouble()).toEqual([expect.stringMatching(message)]);
        expect(attempts).toBeGreaterThan(0);
        expect(attempts).toBeLessThan(15);
      });
    },
  );

  it.concurrent("waits for at least the time in Retry-After of a 429, for reads and writes", async () => {
    await inScene({ environment, client, namespace: "busy" }, async ({ proxy, paint, reconciled }) => {
      const answer = { status: 429, headers: { "retry-after": "2" }, body: status(429, "TooManyRequests") };
      const isPut = ({ method, path }: SeenRequest): boolean =>
        method === "PUT" && path.endsWith("/widgets/first/status");
      proxy.requests.length = 0;
      proxy.fault = (request) => (isWidgetRead(request) || isPut(request) ? { answer } : undefined);
      await paint("first", "blue");
      await sleep(500);
      proxy.cutWatches("end");
      await sleep(7000);
      proxy.fault = undefined;
      await reconciled("first", "blue");
      for (const which of [isWidgetRead, isPut]) {
        const at = proxy.requests.filter((request) => which(request) && request.status === 429).map(({ at }) => at);
        const pauses = at.slice(1).map((time, index) => time - at[index]!);
        expect(pauses.length).toBeGreaterThan(0);
        // The proxy measures from the time at which it has read the request.
        expect(Math.min(...pauses)).toBeGreaterThan(1900);
      }
    });
  });

  it.concurrent("reconciles without errors if responses are slow", async () => {
    await inScene({ environment, client, namespace: "slow" }, async ({ proxy, operator, paint, reconciled }) => {
      proxy.fault = () => ({ delay: 1000 });
      proxy.cutWatches("end");
      await paint("slow", "blue");
      await reconciled("slow", "blue");
      expect(operator.lines.filter(({ level }) => level === "error")).toEqual([]);
    });
  });

  it.concurrent("doesn't reconcile more often if a proxy delays and repeats watch events", async () => {
    await inScene(
      { environment, client, namespace: "twice" },
      async ({ proxy, operator, paint, reconciled, trouble }) => {
        let lines = 0;
        proxy.fault = ({ isWatch }) => ({
          line: async (line) => {
            await sleep(isWatch ? (lines++ % 4) * 100 : 0);
            return isWatch ? [line, line, line] : [line];
          },
        });
        proxy.cutWatches("end");
        for (const color of ["blue", "green", "yellow"]) {
          await paint("twice", color);
          await reconciled("twice", color);
        }
        await sleep(1000);
        const runs = operator.reconciler.reconciles.filter(({ name }) => name === "twice");
        // Per color, at most three reconciles: for the change, for the child's change, and for the operator's own status.
        expect(runs.length).toBeLessThanOrEqual(9);
        expect(trouble().length).toBeLessThanOrEqual(1);
      },
    );
  });

  it("causes no unhandled promise rejection", () => {
    expect(rejections).toEqual([]);
  });
});
