// Values of Secrets in annotations, and in other objects, of the dashboard and the subcommands.
import { gzipSync } from "node:zlib";
import { keyHeader } from "@kubewright/dashboard/protocol";
import { SecretValues } from "@kubewright/runtime/secrets";
import { expect, it } from "vitest";
import { expectLinear } from "../../../scripts/test-support/growth.ts";
import type { KubeObject } from "../client/kube-client.ts";
import { PageServer } from "../server/page-server.ts";
import { hasMaskedValue, withoutSecretValues } from "./secrets.ts";
import { yamlOf } from "./yaml.ts";

const value = 'hunter2-"quoted"-value';
const base64 = Buffer.from(value).toString("base64");
const old = Buffer.from("an-older-value").toString("base64");
const pem = `-----BEGIN PRIVATE KEY-----\n${"MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n".repeat(3)}-----END PRIVATE KEY-----\n`;

const secret = (annotations: Record<string, string>): KubeObject => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "s", annotations },
  data: { password: base64, "tls.key": Buffer.from(pem).toString("base64"), "ca.crt": "cHVibGljLWNlcnRpZmljYXRl" },
});

it("annotations of a Secret show no copy of it", ({ task }) => {
  const original = JSON.stringify({ apiVersion: "v1", kind: "Secret", data: { password: old } });
  const copies: Record<string, string> = {
    "kubectl.kubernetes.io/last-applied-configuration": original,
    "kapp.k14s.io/original": original,
    "kapp.k14s.io/original-escaped": JSON.stringify(original),
    "example.com/yaml": `kind: Secret\ndata:\n  password: ${old}\n`,
    "example.com/string-data": "stringData: {password: x}",
    "example.com/value": `password is ${value}`,
    "example.com/base64": base64,
    "objectset.rio.cattle.io/applied": gzipSync(original.repeat(3)).toString("base64").padEnd(120, "A"),
  };
  Object.assign(task.meta, { attempts: Object.keys(copies).length });
  const { metadata } = withoutSecretValues(secret({ ...copies, "example.com/note": "kept", digest: "a".repeat(64) }));
  const shown = metadata?.annotations ?? {};
  for (const name of Object.keys(copies)) expect([name, shown[name]]).toEqual([name, "(hidden)"]);
  expect([shown["example.com/note"], shown.digest]).toEqual(["kept", "a".repeat(64)]);
});

it("answers contain no value of a Secret, whatever object, log line or message has a copy", async ({ task }) => {
  const values = new SecretValues();
  values.learn(secret({}));
  values.learn({ apiVersion: "v1", kind: "Secret", stringData: { token: "plain-token-1" } } as never);
  const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "m", annotations: { copy: `a ${value} b` } } };
  const holders: Record<string, unknown> = {
    yaml: yamlOf({
      ...map,
      data: { copy: value, encoded: base64, key: pem, nested: JSON.stringify({ value }) },
    } as never),
    diff: `+  copy: ${value}\n-  other: ${base64}\n`,
    log: { message: `login with ${value} failed`, fields: { nested: [{ token: "plain-token-1" }] } },
    manifest: JSON.stringify(JSON.stringify({ data: { password: value } })),
  };
  Object.assign(task.meta, { attempts: Object.keys(holders).length });
  const server = new PageServer({
    assets: undefined,
    start: "/",
    routes: new Map([["GET /api/all", () => holders]]),
    shownJson: (text) => values.maskJson(text),
  });
  await server.listen();
  try {
    const { headers } = await fetch(server.newPageUrl(), { redirect: "manual" });
    const key = headers.get("location")?.split("#key=")[1] ?? "";
    const cookie = headers.get("set-cookie") ?? "";
    const answer = await fetch(`${server.url}/api/all`, { headers: { cookie, [keyHeader]: key } });
    const shown = (await answer.json()) as Record<string, unknown>;
    const text = JSON.stringify(shown);
    for (const part of ["hunter2", base64, "MIIEvQ", "plain-token-1"]) expect(text, part).not.toContain(part);
    expect(text).toContain("(hidden)");
    expect(shown.log).toMatchObject({ message: "login with (hidden) failed" });
  } finally {
    await server.close();
  }
});

it("names that identify objects stay, and short and public values aren't searched", () => {
  const values = new SecretValues();
  const data = { password: "chess-master", short: "true", user: "postgres-user", "ca.crt": "public-certificate" };
  values.learn({ apiVersion: "v1", kind: "Secret", stringData: data } as never);
  const text = JSON.stringify({
    kind: "Game",
    name: "chess-master",
    namespace: "chess-master",
    x: "true postgres-user",
  });
  expect(values.maskJson(text)).toBe(text);
  expect(values.maskJson(JSON.stringify({ x: "chess-master" }))).toBe('{"x":"(hidden)"}');
});

it("an object with a masked copy can't be applied", () => {
  expect(hasMaskedValue({ apiVersion: "v1", kind: "ConfigMap", data: { copy: "a (hidden) b" } } as never)).toBe(true);
  expect(hasMaskedValue({ apiVersion: "v1", kind: "ConfigMap", data: { copy: "a" } } as never)).toBe(false);
});

it("the search takes linear time, also with many values that begin alike", () => {
  const values = new SecretValues();
  for (let count = 0; count < 2000; count++) {
    const stringData = { a: `${"A".repeat(60 + (count % 100))}${count}`, b: `${"A".repeat(8)}${count}` };
    values.learn({ apiVersion: "v1", kind: "Secret", stringData } as never);
  }
  expectLinear(
    (text: string) => values.maskJson(text),
    (size) => `"${'A"'.repeat(size)}${"AB".repeat(size)}`,
    { to: 400_000 },
  );
  expectLinear(
    (text: string) => values.maskJson(text),
    (size) => `"${"A".repeat(size)}"`,
    { to: 400_000 },
  );
});
