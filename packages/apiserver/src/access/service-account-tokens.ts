import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { goQuote, isObject, type JsonObject } from "@kubewright/cel/json";
import type { UserInfo } from "../model/request.ts";
import type { ApiObject } from "../model/resource.ts";
import { notFound } from "../model/status.ts";
import type { Store } from "../storage/store.ts";
import { quotedList } from "./rules.ts";

/** A signing algorithm of tokens. */
interface Algorithm {
  name: string;
  hash: string;
}

/** An object that a token is bound to: it isn't valid without the object. */
export interface BoundObject {
  kind: "pod" | "secret" | "node";
  name: string;
  uid: string;
  /** The node of a Pod, which the token names too. */
  node?: { name: string; uid?: string };
}

/** The content of a token. */
export interface TokenContent {
  namespace: string;
  name: string;
  uid: string;
  audiences: readonly string[];
  expirationSeconds: number;
  bound?: BoundObject;
  /** The seconds after which the use of the token is logged, for tokens that live longer than requested. */
  warnAfterSeconds?: number;
}

/** The result of reading a token. Undefined fields of both stand for a token that isn't one of a service account. */
export interface ReadToken {
  user?: UserInfo;
  audiences?: string[];
  /** Why the token isn't valid. */
  problem?: string;
}

/** A key of tokens, and how it signs. */
interface TokenKey {
  key: KeyObject;
  id: string;
  algorithm: Algorithm;
}

/** The keys of tokens. */
interface Keys {
  signing: TokenKey;
  /** The public keys whose signatures are valid. */
  all: readonly TokenKey[];
}

function keysOf(signingKey: string, publicKeys: readonly string[] | undefined): Keys {
  const key = createPrivateKey(signingKey);
  const own = createPublicKey(key);
  const others = publicKeys === undefined ? [own] : publicKeys.map((pem) => createPublicKey(pem));
  const tokenKey = (keyObject: KeyObject): TokenKey => ({
    key: keyObject,
    id: keyId(keyObject),
    algorithm: algorithmOf(keyObject),
  });
  return { signing: { ...tokenKey(own), key }, all: others.map(tokenKey) };
}

/** A leeway for clocks that differ, in seconds. */
const leeway = 60;
const rememberedTokens = 1000;

/** Signs and reads the tokens of service accounts. */
export class ServiceAccountTokens {
  readonly issuers: readonly string[];
  readonly #keys: () => Keys;
  readonly #store: Store;
  readonly #now: () => number;
  readonly #uid: () => string;
  readonly #verified = new Set<string>();

  /**
   * @param options - `signingKey` is a private key in PEM, or creates one when it is first needed; `publicKeys` are further keys or certificates in PEM whose
   *   signatures are valid; the first issuer is that of new tokens; `now` returns milliseconds since the epoch
   * @throws Error if a key can't be used
   */
  constructor(options: {
    signingKey: string | (() => string);
    publicKeys?: readonly string[];
    issuers: readonly string[];
    store: Store;
    now: () => number;
    uid: () => string;
  }) {
    const { signingKey, publicKeys } = options;
    let keys = typeof signingKey === "string" ? keysOf(signingKey, publicKeys) : undefined;
    this.#keys = () => {
      keys ??= keysOf((signingKey as () => string)(), publicKeys);
      return keys;
    };
    this.issuers = options.issuers;
    this.#store = options.store;
    this.#now = options.now;
    this.#uid = options.uid;
  }

  /** The public keys for `/openid/v1/jwks`. */
  jwks(): JsonObject {
    const keys = this.#keys().all.map(({ key, id, algorithm }) => {
      const { kty, crv, x, y, n, e } = key.export({ format: "jwk" }) as Record<string, string>;
      const parameters = kty === "RSA" ? { n, e } : { crv, x, y };
      return { use: "sig", kty, kid: id, alg: algorithm.name, ...parameters };
    });
    return { keys };
  }

  /** The signing algorithms, for `/.well-known/openid-configuration`. */
  get algorithms(): string[] {
    return [...new Set(this.#keys().all.map(({ algorithm }) => algorithm.name))].sort();
  }

  /**
   * Signs a token.
   *
   * @param content - what it is about
   * @returns the token
   */
  sign(content: TokenContent): string {
    const { namespace, name, uid, audiences, expirationSeconds, bound, warnAfterSeconds } = content;
    const now = Math.floor(this.#now() / 1000);
    const { node } = bound ?? {};
    // The order is that of the real server: alphabetical for the claims.
    const kubernetes: JsonObject = {
      namespace,
      ...(node === undefined ? {} : { node: { ...node } }),
      ...(bound === undefined ? {} : { [bound.kind]: { name: bound.name, uid: bound.uid } }),
      serviceaccount: { name, uid },
      ...(warnAfterSeconds === undefined ? {} : { warnafter: now + warnAfterSeconds }),
    };
    const claims: JsonObject = {
      aud: [...audiences],
      exp: now + expirationSeconds,
      iat: now,
      iss: this.issuers[0] as string,
      jti: this.#uid(),
      "kubernetes.io": kubernetes,
      nbf: now,
      sub: `system:serviceaccount:${namespace}:${name}`,
    };
    const encode = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    const { key, id, algorithm } = this.#keys().signing;
    const text = `${encode({ alg: algorithm.name, kid: id })}.${encode(claims)}`;
    const signature = sign(algorithm.hash, Buffer.from(text), { key, dsaEncoding: "ieee-p1363" });
    return `${text}.${signature.toString("base64url")}`;
  }

  /**
   * Reads a token.
   *
   * @param token - the token
   * @param audiences - who must be among its audiences, one at least
   * @returns the user, or why the token isn't valid; empty if it isn't a token of these service accounts
   */
  read(token: string, audiences: readonly string[] = this.issuers.slice(0, 1)): ReadToken {
    const parts = token.split(".");
    const [head = "", body = "", signature = ""] = parts;
    const header = decodePart(head);
    const claims = decodePart(body);
    if (parts.length !== 3 || header === undefined || claims === undefined) return {};
    if (!this.issuers.includes(String(claims.iss))) return {};
    if (!this.#isSigned(`${head}.${body}`, signature, header)) {
      return { problem: "go-jose/go-jose: error in cryptographic primitive" };
    }
    const own = typeof claims.aud === "string" ? [claims.aud] : Array.isArray(claims.aud) ? claims.aud.map(String) : [];
    const common = own.filter((audience) => audiences.includes(audience));
    if (common.length === 0) {
      const target = quotedList(audiences);
      return { problem: `token audiences ${quotedList(own)} is invalid for the target audiences ${target}` };
    }
    const problem = this.#timeProblem(claims) ?? this.#objectProblem(claims);
    return problem === undefined ? { user: userOf(claims), audiences: common } : { problem };
  }

  /** Verifies a signature. Valid ones are remembered, because clients send the same token with each request. */
  #isSigned(text: string, signature: string, header: JsonObject): boolean {
    const token = `${text}.${signature}`;
    if (this.#verified.has(token)) return true;
    if (!this.#verify(text, signature, header)) return false;
    if (this.#verified.size >= rememberedTokens) this.#verified.clear();
    this.#verified.add(token);
    return true;
  }

  #verify(text: string, signature: string, header: JsonObject): boolean {
    const { all } = this.#keys();
    const named = all.filter(({ id }) => id === header.kid);
    return (named.length === 0 ? all : named).some(({ key, algorithm }) => {
      // The algorithm follows from the key: a token can't choose it.
      if (header.alg !== algorithm.name) return false;
      const bytes = Buffer.from(signature, "base64url");
      return verify(algorithm.hash, Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }, bytes);
    });
  }

  #timeProblem({ exp, nbf, iat }: JsonObject): string | undefined {
    const now = this.#now() / 1000;
    if (typeof nbf === "number" && now + leeway < nbf) return "service account token is not valid yet";
    if (typeof exp === "number" && now - leeway > exp) return "service account token has expired";
    if (typeof iat === "number" && now + leeway < iat) return "service account token is issued in the future";
    return undefined;
  }

  #objectProblem(claims: JsonObject): string | undefined {
    const kubernetes = objectOf(claims["kubernetes.io"]);
    const namespace = String(kubernetes.namespace ?? "");
    const account = objectOf(kubernetes.serviceaccount);
    const name = String(account.name ?? "");
    const existing = this.#metadata("serviceaccounts", `${namespace}/${name}`);
    if (existing === undefined) return notFound({ group: "", resource: "serviceaccounts" }, name).message;
    if (existing.uid !== account.uid) {
      return `service account UID (${existing.uid}) does not match claim (${String(account.uid ?? "")})`;
    }
    if (this.#isGone(existing)) return `service account ${namespace}/${name} has been deleted`;
    for (const kind of ["secret", "pod", "node"] as const) {
      const reference = kubernetes[kind];
      // The node of a Pod is only information.
      if (!isObject(reference) || (kind === "node" && isObject(kubernetes.pod))) continue;
      const problem = this.#boundProblem(kind, kind === "node" ? "" : `${namespace}/`, reference);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  #boundProblem(kind: "secret" | "pod" | "node", prefix: string, reference: JsonObject): string | undefined {
    const bound = this.#metadata(`${kind}s`, `${prefix}${String(reference.name ?? "")}`);
    if (bound === undefined) return "service account token has been invalidated";
    if (bound.uid !== reference.uid) {
      const title = `${kind[0]?.toUpperCase()}${kind.slice(1)}`;
      const shown = kind === "secret" ? "secret" : kind;
      const uid = String(reference.uid ?? "");
      return `${shown} UID (${bound.uid}) does not match service account ${title.toLowerCase()} ref claim (${uid})`;
    }
    return this.#isGone(bound) ? "service account token has been invalidated" : undefined;
  }

  #metadata(resource: string, key: string): ApiObject["metadata"] | undefined {
    const entry = this.#store.collection(resource).get(key);
    return entry && (JSON.parse(entry.text) as ApiObject).metadata;
  }

  #isGone({ deletionTimestamp }: ApiObject["metadata"]): boolean {
    return deletionTimestamp !== undefined && Date.parse(deletionTimestamp) < this.#now() - leeway * 1000;
  }
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function decodePart(part: string): JsonObject | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(part)) return undefined;
  try {
    const value = JSON.parse(Buffer.from(part, "base64url").toString("utf8")) as unknown;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function userOf(claims: JsonObject): UserInfo {
  const kubernetes = objectOf(claims["kubernetes.io"]);
  const namespace = String(kubernetes.namespace);
  const account = objectOf(kubernetes.serviceaccount);
  const extra: Record<string, string[]> = {};
  const add = (key: string, value: unknown): void => {
    if (typeof value === "string" && value !== "") extra[`authentication.kubernetes.io/${key}`] = [value];
  };
  const pod = objectOf(kubernetes.pod);
  const node = objectOf(kubernetes.node);
  if (typeof claims.jti === "string") add("credential-id", `JTI=${claims.jti}`);
  add("pod-name", pod.name);
  add("pod-uid", pod.uid);
  add("node-name", node.name);
  add("node-uid", node.uid);
  return {
    name: `system:serviceaccount:${namespace}:${String(account.name)}`,
    uid: String(account.uid),
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`],
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

function keyId(key: KeyObject): string {
  const der = key.export({ type: "spki", format: "der" });
  return createHash("sha256").update(der).digest("base64url");
}

const curves: Record<string, Algorithm> = {
  prime256v1: { name: "ES256", hash: "sha256" },
  secp384r1: { name: "ES384", hash: "sha384" },
  secp521r1: { name: "ES512", hash: "sha512" },
};

function algorithmOf(key: KeyObject): Algorithm {
  if (key.asymmetricKeyType === "rsa") return { name: "RS256", hash: "sha256" };
  const curve = key.asymmetricKeyDetails?.namedCurve ?? "";
  const algorithm = curves[curve];
  if (key.asymmetricKeyType === "ec" && algorithm !== undefined) return algorithm;
  throw new Error(
    `key of service accounts: type ${goQuote(`${key.asymmetricKeyType} ${curve}`.trim())}: must be RSA, or EC on P-256, P-384 or P-521`,
  );
}
