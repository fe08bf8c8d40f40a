import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from "../../api/admissionregistration/v1.ts";
import { CustomResourceDefinition } from "../../api/apiextensions/v1.ts";
import type { KubernetesObject } from "../../api/index.ts";
import { createAuthority } from "../../certs/authority.ts";
import type { Client } from "../../client/client.ts";
import { interceptor } from "../../client/wrappers/interceptor.ts";
import { silentLogger } from "../../log/logger.ts";
import { fakeClient } from "../../testing/fake-client.ts";
import { localOrigin, loopbackOf } from "../options/local.ts";
import { takeoverAnnotation } from "./annotation.ts";
import { LocalSession, type LocalSessionParts } from "./session.ts";

const service = (path: string) => ({ service: { name: "webhook-service", namespace: "system", path } });
const hook = (name: string, path: string) => ({
  name,
  admissionReviewVersions: ["v1"],
  sideEffects: "None",
  clientConfig: service(path),
});
const configuration = (kind: string, name: string, hooks: object[]) => ({
  apiVersion: "admissionregistration.k8s.io/v1",
  kind,
  metadata: { name },
  webhooks: hooks,
});
const crd = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "games.example.com" },
  spec: {
    group: "example.com",
    names: { kind: "Game", listKind: "GameList", plural: "games", singular: "game" },
    scope: "Namespaced",
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
  status: { storedVersions: ["v1"] },
};
const mutating = configuration("MutatingWebhookConfiguration", "mutating-webhook-configuration", [
  hook("m.example.com", "/mutate"),
]);
const validating = configuration("ValidatingWebhookConfiguration", "validating-webhook-configuration", [
  hook("v.example.com", "/validate"),
]);

let directory = "";
let manifests = "";
let client: Client;
let ca = "";
beforeAll(async () => {
  ca = (await createAuthority({ commonName: "local webhooks", validFor: 3_600_000 })).cert;
  directory = mkdtempSync(join(tmpdir(), "kubewright-local-"));
  manifests = join(directory, "manifests.yaml");
  writeFileSync(manifests, `${JSON.stringify(mutating)}\n---\n${JSON.stringify(validating)}\n`);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));
beforeEach(() => {
  client = fakeClient({ objects: [crd] });
});

function session(own: Partial<LocalSessionParts> = {}): LocalSession {
  return new LocalSession({
    ...{ reader: client, client, log: silentLogger, manifests, namePrefix: "op-" },
    ...{ origin: "https://10.0.0.5:9443", ca, definitions: ["games.example.com"] },
    paths: ["/mutate", "/validate", "/convert"],
    ...own,
  });
}

const all = async () => ({
  mutating: (await client.list(MutatingWebhookConfiguration)).items,
  validating: (await client.list(ValidatingWebhookConfiguration)).items,
  conversion: (await client.get(CustomResourceDefinition, { name: "games.example.com" })).spec.conversion,
});
const local = (path: string) => ({
  url: `https://10.0.0.5:9443${path}`,
  caBundle: Buffer.from(ca).toString("base64"),
});

describe("the URL of local webhooks", () => {
  it.each(["https://192.168.1.5:9443", "https://laptop.example.com", "https://[fd00::1]:9443/"])("may be %s", (url) => {
    expect(localOrigin(url).origin).toBe(url.replace(/\/$/, ""));
  });

  it.each([
    "",
    "laptop:9443",
    "http://laptop:9443",
    "https://a/b",
    "https://a?b",
    "https://me@a",
    "https://0.0.0.0:9443",
  ])("can't be %j", (url) =>
    expect(() => localOrigin(url)).toThrow("it must be a URL that API servers can reach, such as https://192"),
  );
});

describe("the address that local webhooks listen on", () => {
  it.each([
    ["https://127.0.0.1:9443", "127.0.0.1"],
    ["https://127.1.2.3:9443", "127.1.2.3"],
    ["https://[::1]:9443", "::1"],
    ["https://localhost:9443", "localhost"],
  ])("is that of the URL if only this machine reaches it: %s", (url, host) => expect(loopbackOf({ url })).toBe(host));

  it.each(["https://192.168.1.5:9443", "https://127.0.0.1.example.com", "https://host.docker.internal:9443"])(
    "is that of all interfaces if others must reach it: %s",
    (url) => expect(loopbackOf({ url })).toBeUndefined(),
  );

  it("is that of all interfaces without a URL", () => {
    expect([loopbackOf(), loopbackOf({})]).toEqual([undefined, undefined]);
  });
});

describe("a cluster without the deployed operator", () => {
  it("gets another URL when the code of a conversion changes, so that API servers convert all objects again", async () => {
    const before = session({ conversions: "1234" });
    await before.begin();
    expect((await all()).conversion?.webhook?.clientConfig).toEqual(local("/convert/1234"));
    await before.end();
    await session({ conversions: "5678" }).begin();
    expect((await all()).conversion?.webhook?.clientConfig).toEqual(local("/convert/5678"));
  });

  it("gets configurations with URL and CA, and loses them at the end", async () => {
    const running = session();
    await running.begin();
    const during = await all();
    expect(during.mutating[0]).toMatchObject({
      metadata: { name: "op-mutating-webhook-configuration" },
      webhooks: [{ name: "m.example.com", clientConfig: local("/mutate") }],
    });
    expect(during.validating[0]?.webhooks?.[0]?.clientConfig).toEqual(local("/validate"));
    expect(during.conversion?.webhook?.clientConfig).toEqual(local("/convert"));
    await running.end();
    expect(await all()).toEqual({ mutating: [], validating: [], conversion: { strategy: "None" } });
  });

  it("gets no webhooks without a server", async () => {
    const running = session({ paths: ["/validate"], definitions: [] });
    await running.begin();
    expect(await all()).toMatchObject({ mutating: [], validating: [{}], conversion: { strategy: "None" } });
    await running.end();
  });

  it("is restored if something can't be installed", async () => {
    const running = session({ definitions: ["missing.example.com"] });
    await expect(running.begin()).rejects.toThrow("no CustomResourceDefinition missing.example.com in the cluster");
    await running.end();
    expect(await all()).toMatchObject({ mutating: [], validating: [] });
  });

  it("stays unchanged if the file with the configurations is missing", async () => {
    const running = session({ manifests: join(directory, "none.yaml") });
    await expect(running.begin()).rejects.toThrow(
      "run make manifests, and start the manager in the project's directory",
    );
    await running.end();
    expect(await all()).toEqual({ mutating: [], validating: [], conversion: { strategy: "None" } });
  });
});

describe("a cluster with the deployed operator", () => {
  const deployed = configuration("MutatingWebhookConfiguration", "op-mutating-webhook-configuration", [
    hook("old.example.com", "/old"),
  ]);
  const conversion = {
    strategy: "Webhook",
    webhook: { conversionReviewVersions: ["v1"], clientConfig: service("/convert") },
  };
  beforeEach(() => {
    client = fakeClient({ objects: [deployed, { ...crd, spec: { ...crd.spec, conversion } } as KubernetesObject] });
  });
  const expectRestored = async () => {
    const after = await all();
    expect(after.mutating[0]?.webhooks).toMatchObject(deployed.webhooks);
    expect(after.mutating[0]?.metadata?.annotations ?? {}).toEqual({});
    expect(after).toMatchObject({ mutating: { length: 1 }, validating: [], conversion });
  };

  it("calls the local server during the session", async () => {
    const running = session();
    await running.begin();
    const during = await all();
    expect(during.mutating).toHaveLength(1);
    expect(during.mutating[0]?.webhooks).toMatchObject([{ name: "m.example.com", clientConfig: local("/mutate") }]);
    await running.end();
    await expectRestored();
  });

  it("is restored by the next session if one was killed", async () => {
    await session().begin();
    const next = session({ origin: "https://10.0.0.6:9443" });
    await next.begin();
    expect((await all()).mutating[0]?.webhooks?.[0]?.clientConfig.url).toBe("https://10.0.0.6:9443/mutate");
    await next.end();
    await expectRestored();
  });

  it("is restored by the next session even if it serves fewer webhooks", async () => {
    await session().begin();
    const next = session({ paths: ["/convert"] });
    await next.begin();
    expect(await all()).toMatchObject({ mutating: [{ webhooks: deployed.webhooks }], validating: [] });
    await next.end();
    await expectRestored();
  });

  it("is restored by the next session if one was killed while it restored", async () => {
    let writes = 0;
    const failing = interceptor.newClient(client, {
      update: (inner, object, options) => {
        if (++writes > 3) throw new Error("killed");
        return inner.update(object, options);
      },
    });
    const running = session({ client: failing });
    // Two writes install the configurations, and one write restores.
    await running.begin();
    await running.end();
    expect(writes).toBeGreaterThan(3);
    const next = session();
    await next.begin();
    await next.end();
    await expectRestored();
  });

  it("keeps the configurations of the latest of two sessions", async () => {
    const [first, second] = [session(), session({ origin: "https://10.0.0.6:9443" })];
    await first.begin();
    await second.begin();
    await first.end();
    const during = (await all()).mutating[0];
    expect(during?.webhooks?.[0]?.clientConfig.url).toBe("https://10.0.0.6:9443/mutate");
    expect(during?.metadata?.annotations).toHaveProperty([takeoverAnnotation]);
    await second.end();
    await expectRestored();
  });
});
