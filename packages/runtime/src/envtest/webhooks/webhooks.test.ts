import { X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSecureContext } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { KubernetesObject } from "../../api/index.ts";
import type { CRD } from "../../manifests/crds.ts";
import { TestEnvironment } from "../test-environment.ts";
import { withLocalClients, withLocalConversion } from "./local.ts";
import type { WebhookServing } from "./options.ts";
import { readWebhooks, type WebhookConfiguration } from "./read.ts";
import { prepareServing } from "./serving.ts";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "kubewright-webhooks-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const serving: WebhookServing = {
  localServingHost: "127.0.0.1",
  localServingPort: 4711,
  localServingCertDir: "",
  localServingCAData: "the CA",
};
const caBundle = Buffer.from("the CA").toString("base64");
const configuration = (clientConfig: object, kind = "ValidatingWebhookConfiguration") =>
  ({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind,
    metadata: { name: "hooks" },
    webhooks: [{ name: "a.b.c", clientConfig }],
  }) as unknown as WebhookConfiguration;

describe("W9: the client configuration of a webhook", () => {
  it.each([
    [
      "a path",
      { service: { name: "s", namespace: "n", path: "/validate-a", port: 443 } },
      "https://127.0.0.1:4711/validate-a",
    ],
    ["no path", { service: { name: "s", namespace: "n" } }, "https://127.0.0.1:4711/"],
    ["a URL of its own", { url: "https://elsewhere/x", caBundle: "old" }, "https://elsewhere/x"],
  ])("with %s refers to the local server and its CA", (_name, clientConfig, url) => {
    const given = configuration(clientConfig);
    const { webhooks } = withLocalClients(given, serving);
    expect(webhooks?.[0]?.clientConfig).toEqual({ url, caBundle });
    expect(given.webhooks?.[0]?.clientConfig).toEqual(clientConfig);
  });

  it("uses the external host name if it is set", () => {
    const path = { service: { name: "s", namespace: "n", path: "/x" } };
    const urlFor = (localServingHostExternalName: string) =>
      withLocalClients(configuration(path), { ...serving, localServingHostExternalName }).webhooks?.[0]?.clientConfig
        ?.url;
    expect(urlFor("host.internal")).toBe("https://host.internal:4711/x");
    expect(urlFor("::1")).toBe("https://[::1]:4711/x");
  });
});

describe("the conversion of a CRD", () => {
  const crd = (spec: object = {}): CRD =>
    ({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "games.example.com" },
      spec: { group: "example.com", names: { plural: "games", kind: "Game" }, versions: [], ...spec },
    }) as unknown as CRD;
  const webhook = { strategy: "Webhook", webhook: { clientConfig: { service: { name: "s", namespace: "n" } } } };
  const local = {
    strategy: "Webhook",
    webhook: {
      conversionReviewVersions: ["v1", "v1beta1"],
      clientConfig: { url: "https://127.0.0.1:4711/convert", caBundle },
    },
  };
  const game = { group: "example.com", kind: "Game" };
  const other = { group: "example.com", kind: "Other" };

  it.each<[string, Partial<WebhookServing>, object, object | undefined]>([
    ["is local if the CRD has a conversion webhook", {}, { conversion: webhook }, local],
    ["isn't set without a conversion webhook", {}, {}, undefined],
    ["stays None", {}, { conversion: { strategy: "None" } }, { strategy: "None" }],
    ["is local for a kind in convertibleKinds", { convertibleKinds: [other, game] }, {}, local],
    [
      "is removed for a kind that isn't in convertibleKinds",
      { convertibleKinds: [other] },
      { conversion: webhook },
      undefined,
    ],
    [
      "is local for all kinds with ignoreSchemeConvertible",
      { ignoreSchemeConvertible: true, convertibleKinds: [] },
      {},
      local,
    ],
    [
      "isn't set if the CRD preserves unknown fields",
      { convertibleKinds: [game] },
      { preserveUnknownFields: true },
      undefined,
    ],
  ])("%s", (_name, options, spec, expected) => {
    expect(withLocalConversion(crd(spec), { ...serving, ...options }).spec.conversion).toEqual(expected);
  });
});

describe("readWebhooks", () => {
  it("reads configurations from files and directories, and skips other kinds", async () => {
    const hooks = join(directory, "hooks");
    const { mkdirSync } = await import("node:fs");
    mkdirSync(hooks);
    const documents = [
      configuration({}),
      { apiVersion: "v1", kind: "Service", metadata: { name: "x" } },
      { ...configuration({}, "MutatingWebhookConfiguration"), metadata: { name: "second" } },
    ];
    writeFileSync(join(hooks, "manifests.yaml"), documents.map((document) => JSON.stringify(document)).join("\n---\n"));
    writeFileSync(join(hooks, "kustomization.yaml"), "resources: [manifests.yaml]\n");
    writeFileSync(join(hooks, "notes.txt"), "kind: [");
    const configurations = readWebhooks({
      paths: [hooks],
      mutatingWebhooks: [configuration({}, "MutatingWebhookConfiguration")],
    });
    expect(configurations.map(({ kind, metadata }) => `${kind} ${metadata?.name}`)).toEqual([
      "ValidatingWebhookConfiguration hooks",
      "MutatingWebhookConfiguration second",
      "MutatingWebhookConfiguration hooks",
    ]);
  });

  it("returns only webhooks for the groups and versions of the given kinds", () => {
    const webhook = (name: string, group: string, version: string) => ({
      name,
      rules: [{ apiGroups: [group], apiVersions: [version], resources: ["*"], operations: ["*"] }],
    });
    const webhooks = [webhook("v1", "a.io", "v1"), webhook("v2", "a.io", "v2"), webhook("all", "*", "*")];
    const validatingWebhooks = [
      { ...configuration({}), webhooks },
      { ...configuration({}), webhooks: [webhook("other", "b.io", "v1")] },
    ] as unknown as KubernetesObject[];
    const kept = (kinds?: { group: string; version: string }[]) =>
      readWebhooks({ validatingWebhooks, kinds }).map(({ webhooks }) => webhooks?.map(({ name }) => name));
    expect(kept([{ group: "a.io", version: "v2" }])).toEqual([["v2", "all"]]);
    expect(kept([{ group: "b.io", version: "v1" }])).toEqual([["all"], ["other"]]);
    expect(kept([])).toEqual([]);
    expect(kept()).toEqual([["v1", "v2", "all"], ["other"]]);
  });

  it("reports a missing path, unless the option allows it", async () => {
    const path = join(directory, "absent");
    expect(() => readWebhooks({ paths: [path] })).toThrow(`${path}: no such file or directory`);
    expect(readWebhooks({ paths: [path], ignoreErrorIfPathMissing: true })).toEqual([]);
  });

  it.each<[string, KubernetesObject, string]>([
    [
      "another version",
      { ...configuration({}), apiVersion: "admissionregistration.k8s.io/v1beta1" },
      "only admissionregistration.k8s.io/v1 is supported",
    ],
    ["no name", { ...configuration({}), metadata: {} }, "without a name"],
    ["another kind", configuration({}, "MutatingWebhookConfiguration"), "isn't a ValidatingWebhookConfiguration"],
  ])("rejects %s", async (_name, object, message) => {
    expect(() => readWebhooks({ validatingWebhooks: [object] })).toThrow(message);
  });
});

describe("the local webhook server", () => {
  it("uses a free port and a certificate that its CA has signed", async () => {
    const { options, release } = await prepareServing({ localServingHostExternalName: "host.internal" }, directory);
    const cert = readFileSync(join(options.localServingCertDir, "tls.crt"), "utf8");
    const key = readFileSync(join(options.localServingCertDir, "tls.key"), "utf8");
    createSecureContext({ cert, key });
    const certificate = new X509Certificate(cert);
    expect(certificate.verify(new X509Certificate(options.localServingCAData).publicKey)).toBe(true);
    expect(certificate.checkIP("127.0.0.1")).toBe("127.0.0.1");
    for (const host of ["localhost", "host.internal"]) expect(certificate.checkHost(host)).toBe(host);
    expect(options.localServingPort).toBeGreaterThan(1024);
    release();
  });

  it("keeps the options that are set", async () => {
    const own = { ...serving, localServingCertDir: "certs" };
    const { options, release } = await prepareServing(own, directory);
    expect(options).toEqual(own);
    release();
  });

  it("requires directory and CA together", async () => {
    await expect(prepareServing({ localServingCertDir: "certs" }, directory)).rejects.toThrow("belong together");
  });

  it("has no options until the environment runs", () => {
    expect(() => new TestEnvironment({ webhookInstallOptions: {} }).webhookInstallOptions).toThrow("isn't running");
  });
});
