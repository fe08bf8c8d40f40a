import { generateKeyPairSync } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { Store } from "../storage/store.ts";
import { ServiceAccountTokens } from "./service-account-tokens.ts";
import { parseTokenFile } from "./token-file.ts";
import { BearerTokens } from "./tokens.ts";

const issuer = "https://kubernetes.default.svc.cluster.local";
const privatePem = (type: "ec" | "rsa"): string => {
  const pair =
    type === "ec"
      ? generateKeyPairSync("ec", { namedCurve: "P-256" })
      : generateKeyPairSync("rsa", { modulusLength: 2048 });
  return pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
};
const signingKey = privatePem("ec");
let now: number;
let store: Store;
let accounts: ServiceAccountTokens;
let tokens: BearerTokens;

function create(key = signingKey): ServiceAccountTokens {
  const options = { signingKey: key, issuers: [issuer], store, now: () => now, uid: () => "jti-1" };
  return new ServiceAccountTokens(options);
}

function put(collection: string, key: string, metadata: object): void {
  store.put(store.collection(collection), key, () => JSON.stringify({ metadata }));
}

function remove(collection: string, key: string): void {
  store.delete(store.collection(collection), key, () => "{}");
}

beforeEach(() => {
  now = Date.parse("2026-01-01T00:00:00Z");
  store = new Store({ now: () => now });
  put("serviceaccounts", "ns/sa", { name: "sa", namespace: "ns", uid: "uid-1" });
  accounts = create();
  tokens = new BearerTokens(new Map([["secret", { name: "alice", uid: "a", groups: [] }]]), accounts, () => now);
});

const content = { namespace: "ns", name: "sa", uid: "uid-1", audiences: [issuer], expirationSeconds: 3600 };

function decode(token: string): unknown[] {
  return token
    .split(".")
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()) as unknown);
}

test("a token has the claims of the real server", () => {
  const [header, claims] = decode(accounts.sign(content));
  const seconds = now / 1000;
  expect(header).toEqual({ alg: "ES256", kid: expect.stringMatching(/^[\w-]{43}$/) as string });
  expect(claims).toEqual({
    aud: [issuer],
    exp: seconds + 3600,
    iat: seconds,
    iss: issuer,
    jti: "jti-1",
    "kubernetes.io": { namespace: "ns", serviceaccount: { name: "sa", uid: "uid-1" } },
    nbf: seconds,
    sub: "system:serviceaccount:ns:sa",
  });
});

test("RSA keys sign with RS256", () => {
  const rsa = create(privatePem("rsa"));
  const token = rsa.sign(content);
  expect(decode(token)[0]).toMatchObject({ alg: "RS256" });
  expect(rsa.read(token).user?.name).toBe("system:serviceaccount:ns:sa");
});

test("the user of a token has the groups of service accounts", () => {
  expect(tokens.review(accounts.sign(content))).toEqual({
    user: {
      name: "system:serviceaccount:ns:sa",
      uid: "uid-1",
      groups: ["system:serviceaccounts", "system:serviceaccounts:ns", "system:authenticated"],
      extra: { "authentication.kubernetes.io/credential-id": ["JTI=jti-1"] },
    },
    audiences: [issuer],
  });
});

test("a bound Pod and its node become extra fields", () => {
  put("pods", "ns/p", { name: "p", uid: "pod-1" });
  const bound = { kind: "pod", name: "p", uid: "pod-1", node: { name: "n" } } as const;
  const result = accounts.read(accounts.sign({ ...content, bound }));
  expect(result.user?.extra).toEqual({
    "authentication.kubernetes.io/credential-id": ["JTI=jti-1"],
    "authentication.kubernetes.io/pod-name": ["p"],
    "authentication.kubernetes.io/pod-uid": ["pod-1"],
    "authentication.kubernetes.io/node-name": ["n"],
  });
});

const problems: [string, (token: string) => void, string][] = [
  [
    "expired",
    () => {
      now += 3661_000;
    },
    "service account token has expired",
  ],
  [
    "used too early",
    () => {
      now -= 61_000;
    },
    "service account token is not valid yet",
  ],
  ["whose ServiceAccount doesn't exist", () => remove("serviceaccounts", "ns/sa"), 'serviceaccounts "sa" not found'],
  [
    "whose ServiceAccount was recreated",
    () => put("serviceaccounts", "ns/sa", { name: "sa", uid: "uid-2" }),
    "service account UID (uid-2) does not match claim (uid-1)",
  ],
  [
    "whose ServiceAccount is being deleted",
    () => put("serviceaccounts", "ns/sa", { name: "sa", uid: "uid-1", deletionTimestamp: "2025-12-31T00:00:00Z" }),
    "service account ns/sa has been deleted",
  ],
  ["whose Secret was deleted", () => remove("secrets", "ns/s"), "service account token has been invalidated"],
];

test.each(problems)("a token %s isn't valid", (_name, change, problem) => {
  put("secrets", "ns/s", { name: "s", uid: "secret-1" });
  const token = accounts.sign({ ...content, bound: { kind: "secret", name: "s", uid: "secret-1" } });
  expect(accounts.read(token).user).toBeDefined();
  change(token);
  expect(tokens.review(token)).toEqual({ problem: `[invalid bearer token, ${problem}]` });
});

test("a valid token stays valid for 10 seconds", () => {
  const token = accounts.sign(content);
  expect(tokens.user(token)).toBeDefined();
  remove("serviceaccounts", "ns/sa");
  now += 9_999;
  expect(tokens.user(token)).toBeDefined();
  now += 1;
  expect(tokens.user(token)).toBeUndefined();
});

test("a token for another audience isn't valid", () => {
  const token = accounts.sign(content);
  expect(tokens.review(token, ["other"])).toEqual({
    problem: `[invalid bearer token, token audiences ["${issuer}"] is invalid for the target audiences ["other"]]`,
  });
  expect(tokens.review(accounts.sign({ ...content, audiences: ["other", issuer] }), ["other"])).toMatchObject({
    audiences: ["other"],
  });
});

test("a token with another signature or algorithm isn't valid", () => {
  const token = accounts.sign(content);
  const problem = "[invalid bearer token, go-jose/go-jose: error in cryptographic primitive]";
  expect(tokens.review(`${token.slice(0, -4)}AAAA`)).toEqual({ problem });
  expect(tokens.review(create(privatePem("ec")).sign(content))).toEqual({ problem });
  const none = Buffer.from('{"alg":"none"}').toString("base64url");
  expect(tokens.review(`${none}.${token.split(".")[1]}.`)).toEqual({ problem });
});

test.each(["nonsense", "a.b.c", "{}", ""])("the text %j isn't a token", (text) => {
  expect(tokens.review(text)).toEqual({ problem: "invalid bearer token" });
  expect(tokens.user(text)).toBeUndefined();
});

test("static tokens are valid only for the audience of the server", () => {
  expect(tokens.review("secret")).toEqual({
    user: { name: "alice", uid: "a", groups: ["system:authenticated"] },
    audiences: [issuer],
  });
  expect(tokens.review("secret", ["other"])).toEqual({ problem: "invalid bearer token" });
});

test("a certificate can replace a public key", () => {
  expect(accounts.jwks()).toMatchObject({ keys: [{ use: "sig", kty: "EC", crv: "P-256", alg: "ES256" }] });
  expect(accounts.algorithms).toEqual(["ES256"]);
});

test("a token file has user names, UIDs and groups", () => {
  const text = 't1,admin,1,"system:masters,""q"""\r\nt2,alice,\n\n,nobody,3\n';
  expect([...parseTokenFile(text, "tokens.csv")]).toEqual([
    ["t1", { name: "admin", uid: "1", groups: ["system:masters", '"q"'] }],
    ["t2", { name: "alice", groups: [] }],
  ]);
  expect(() => parseTokenFile("a,b\n", "tokens.csv")).toThrow(
    "token file 'tokens.csv' must have at least 3 columns (token, user name, user uid), found 2",
  );
});
