import { generateKeyPairSync } from "node:crypto";
import type { JsonObject } from "@kubewright/cel/json";
import { beforeEach, expect, test } from "vitest";
import { builtInResources } from "../builtin/resources.ts";
import type { ApiObject } from "../model/resource.ts";
import type { StatusError } from "../model/status.ts";
import { Scope } from "../registry/scope.ts";
import { requestInfo } from "../request/request-info.ts";
import { Store } from "../storage/store.ts";
import { ServiceAccountTokens } from "./service-account-tokens.ts";
import { tokenRequests } from "./token-requests.ts";

const issuer = "https://kubernetes.default.svc";
const now = Date.parse("2026-01-01T00:00:00Z");
const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
const signingKey = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const types = builtInResources();
let store: Store;
let tokens: ServiceAccountTokens;
let admitted: ApiObject | undefined;

beforeEach(() => {
  store = new Store({ now: () => now });
  put("serviceaccounts", "ns/sa", { metadata: { name: "sa", namespace: "ns", uid: "uid-1" } });
  tokens = new ServiceAccountTokens({ signingKey, issuers: [issuer], store, now: () => now, uid: () => "jti" });
});

function put(collection: string, key: string, object: JsonObject): void {
  store.put(store.collection(collection), key, () => JSON.stringify(object));
}

async function request(spec: JsonObject, metadata: JsonObject = {}, name = "sa"): Promise<JsonObject> {
  const type = types.find((one) => one.resource === "serviceaccounts") as (typeof types)[number];
  const engine = {
    store,
    now: () => now,
    elapsed: () => 0,
    resource: (_group: string, resource: string) => types.find((one) => one.resource === resource),
    fieldManager: () => ({ update: (_live: unknown, object: ApiObject) => object }),
    admission: {
      mutate: async ({ object }: { object: ApiObject }) => object,
      validate: async ({ object }: { object: ApiObject }) => {
        admitted = structuredClone(object);
      },
    },
  };
  const url = `/api/v1/namespaces/ns/serviceaccounts/${name}/token`;
  const body = JSON.stringify({ kind: "TokenRequest", apiVersion: "authentication.k8s.io/v1", metadata, spec });
  const version = type.versions.get("v1");
  const incoming = { method: "POST", url, headers: { "content-type": "application/json" }, body };
  const scope = new Scope(engine as never, incoming, requestInfo("POST", url), type, version as never, {
    name: "x",
    groups: [],
  });
  const answer = await tokenRequests(tokens)(scope);
  expect(answer.status).toBe(201);
  return JSON.parse(String(answer.body)) as JsonObject;
}

async function problem(...args: Parameters<typeof request>): Promise<string> {
  return request(...args).then(
    () => "no error",
    (error: StatusError) => `${error.code} ${error.message}`,
  );
}

test("a request without a spec has the audience and the lifetime of the server", async () => {
  const answer = await request({});
  expect(answer).toEqual({
    kind: "TokenRequest",
    apiVersion: "authentication.k8s.io/v1",
    metadata: { name: "sa", namespace: "ns", uid: "uid-1", creationTimestamp: "2026-01-01T00:00:00Z" },
    spec: { audiences: [issuer], expirationSeconds: 3600, boundObjectRef: null },
    status: { token: expect.any(String) as string, expirationTimestamp: "2026-01-01T01:00:00Z" },
  });
  expect(admitted?.spec).toMatchObject({ audiences: [issuer] });
  const { token } = answer.status as { token: string };
  expect(tokens.read(token).user?.name).toBe("system:serviceaccount:ns:sa");
});

const invalid: [string, Parameters<typeof request>, string][] = [
  [
    "with another name",
    [{}, { name: "b" }],
    '422 TokenRequest.authentication.k8s.io "sa" is invalid: metadata.name: Invalid value: "b": must match the service account name if specified',
  ],
  ["for a missing ServiceAccount", [{}, {}, "none"], '404 serviceaccounts "none" not found'],
  [
    "with the UID of another ServiceAccount",
    [{}, { uid: "x" }],
    '409 Operation cannot be fulfilled on TokenRequest.authentication.k8s.io "sa": the UID in the token request (x) does not match the UID of the service account (uid-1)',
  ],
  [
    "for less than 10 minutes",
    [{ expirationSeconds: 5 }],
    '422 TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes',
  ],
  [
    "for centuries",
    [{ expirationSeconds: 999999999999 }],
    '422 TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 999999999999: may not specify a duration larger than 2^32 seconds',
  ],
  [
    "for another kind of object",
    [{ boundObjectRef: { kind: "Foo", apiVersion: "v1", name: "x" } }],
    "400 cannot bind token to object of type /v1, Kind=Foo",
  ],
  [
    "for a missing object",
    [{ boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "none" } }],
    '404 pods "none" not found',
  ],
  [
    "for a Pod of another ServiceAccount",
    [{ boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "other" } }],
    '400 cannot bind token for serviceaccount "sa" to pod running with different serviceaccount name.',
  ],
  [
    "with the UID of another object",
    [{ boundObjectRef: { kind: "Secret", apiVersion: "v1", name: "s", uid: "x" } }],
    '409 Operation cannot be fulfilled on Secret "s": the UID in the bound object reference (x) does not match the UID in record. The object might have been deleted and then recreated',
  ],
];

test.each(invalid)("a request %s is rejected", async (_name, args, expected) => {
  put("pods", "ns/other", { metadata: { name: "other", uid: "p" }, spec: { serviceAccountName: "default" } });
  put("secrets", "ns/s", { metadata: { name: "s", uid: "secret-1" } });
  expect(await problem(...args)).toBe(expected);
});

test("the token of a Pod contains its node, and is valid for a year if kubelet requests it", async () => {
  put("pods", "ns/p", { metadata: { name: "p", uid: "pod-1" }, spec: { serviceAccountName: "sa", nodeName: "n" } });
  put("nodes", "n", { metadata: { name: "n", uid: "node-1" } });
  const { status } = await request({
    expirationSeconds: 3607,
    boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "p" },
  });
  const { token, expirationTimestamp } = status as { token: string; expirationTimestamp: string };
  const claims = JSON.parse(Buffer.from(token.split(".")[1] as string, "base64url").toString()) as JsonObject;
  expect(claims).toMatchObject({
    exp: now / 1000 + 365 * 24 * 3600,
    "kubernetes.io": {
      node: { name: "n", uid: "node-1" },
      pod: { name: "p", uid: "pod-1" },
      warnafter: now / 1000 + 3607,
    },
  });
  expect(expirationTimestamp).toBe("2026-01-01T01:00:07Z");
});
