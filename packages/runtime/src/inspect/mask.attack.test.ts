// Values of Secrets in the records of a manager, in its log, and in the timeline of a simulation.
import type { StoredWrite } from "@kubewright/apiserver";
import { expect, it } from "vitest";
import { systemClock } from "../clock/clock.ts";
import { redact } from "../log/redact.ts";
import { Timeline } from "../simulation/report/timeline.ts";
import { Actor } from "../simulation/schedule/actor.ts";
import { Inspector } from "./inspector.ts";
import { maskSecret } from "./mask.ts";

const value = "hunter2-of-a-test";
const base64 = Buffer.from(value).toString("base64");
const older = Buffer.from("an-older-value").toString("base64");
const original = JSON.stringify({ kind: "Secret", data: { password: older } });
const annotations: Record<string, string> = {
  "kapp.k14s.io/original": original,
  "example.com/escaped": JSON.stringify(original),
  "example.com/value": `the password is ${value}`,
  "example.com/base64": base64,
};
const secret = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "s", namespace: "default", resourceVersion: "5", annotations: { ...annotations, note: "kept" } },
  data: { password: base64 },
};

it("annotations of Secrets show no copy in diffs and in log lines", ({ task }) => {
  Object.assign(task.meta, { attempts: 2 * Object.keys(annotations).length });
  for (const shown of [
    maskSecret(secret),
    redact({ object: secret }),
    redact({ kind: "SecretList", items: [secret] }),
  ]) {
    const text = JSON.stringify(shown);
    for (const part of [value, base64, older]) expect(text).not.toContain(part);
    expect(text).toContain('"note":"kept"');
  }
  expect(JSON.stringify(maskSecret({ ...secret, data: {} } as never, secret))).not.toContain(base64);
});

it("records of reconciles and of webhooks show no copy in other objects", async () => {
  const inspector = new Inspector(systemClock);
  const map = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "m", resourceVersion: "6" },
    data: { copy: value },
  };
  const transport = inspector.cluster.transport({
    request: async ({ method }) => ({ status: 200, headers: {}, body: method === "GET" ? secret : map }) as never,
    stream: () => Promise.reject(new Error("unused")),
    close: async () => {},
  });
  const log = inspector.logger({ debug() {}, info() {}, warn() {}, error() {}, with: () => log } as never);
  const context = { log, signal: new AbortController().signal, reasons: [], reconcileID: "1" };
  const controller = inspector.controller<{ namespace: string; name: string }>("c");
  await controller.run(context, { namespace: "", name: "x" }, async () => {
    await transport.request({ method: "GET", path: "/api/v1/namespaces/default/secrets/s" });
    await transport.request({ method: "PUT", path: "/api/v1/namespaces/default/configmaps/m", body: map });
    log.info(`logged in with ${value}`);
    return undefined;
  });
  const text = JSON.stringify(inspector.reconciles());
  expect(text).toContain("logged in with (hidden)");
  expect(text).toContain("copy: (hidden)");
  for (const part of [value, base64]) expect(text).not.toContain(part);
});

it("the timeline of a simulation shows no values", () => {
  const timeline = new Timeline(() => ({ step: 1, time: 0 }));
  const changed = { ...secret, data: { password: Buffer.from("another-password").toString("base64") } };
  const actor = new Actor("operator-1");
  const add = (object: string, write: Pick<StoredWrite, "revision"> & { before?: object; after: object }): void =>
    timeline.write(actor, object, { ...write, isNew: !write.before, isDeletion: false } as StoredWrite, true);
  add("ConfigMap default/m", { revision: 4, after: { data: { copy: value } } });
  add("Secret default/s", { revision: 5, after: secret });
  add("Secret default/s", { revision: 6, before: secret, after: changed });
  const text = JSON.stringify(timeline.entries());
  for (const part of [value, base64, "another-password", changed.data.password]) expect(text).not.toContain(part);
  expect(text).toContain(String.raw`data.password: \"(hidden)\" → \"(hidden, changed)\"`);
});
