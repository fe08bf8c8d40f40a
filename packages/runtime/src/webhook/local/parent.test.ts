import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createEndpointKeys } from "./endpoint/keys.ts";
import { webhooksOfParent } from "./parent.ts";

const { send } = process;
let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kubewright-parent-"));
  file = join(directory, "webhooks.json");
  process.send = () => true;
  vi.stubEnv("KUBEWRIGHT_INSPECT", "parent");
  vi.stubEnv("KUBEWRIGHT_INSPECT_WEBHOOKS", "true");
  vi.stubEnv("KUBEWRIGHT_INSPECT_WEBHOOK_KEYS", file);
});
afterEach(() => {
  vi.unstubAllEnvs();
  process.send = send;
  rmSync(directory, { recursive: true, force: true });
});

/** Returns the certificate of the server of a manager that a session starts. */
function certificate() {
  const { server } = webhooksOfParent({ namePrefix: "", manifests: "" });
  return server.certificates?.watch(new AbortController().signal, () => {});
}

it("the webhooks of a manager that scaffold dev starts have the certificate of the session", async () => {
  const keys = await createEndpointKeys("127.0.0.1");
  writeFileSync(file, JSON.stringify({ id: "1", port: 1, keys }));
  expect(await certificate()).toEqual(keys.serving);
});

it.each(["", "{}", '{ "keys": { "serving": {} } }'])(
  "the webhooks of a manager have a certificate of their own without valid keys of the session: %j",
  async (text) => {
    if (text !== "") writeFileSync(file, text);
    const { cert } = (await certificate()) ?? { cert: "" };
    expect(new X509Certificate(cert).subject).toBe("CN=127.0.0.1");
  },
);
