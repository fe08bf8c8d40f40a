import { encodeJson, type JsonObject } from "@kubewright/cel/json";
import type { ServiceAccountTokens } from "../access/service-account-tokens.ts";
import { type KubernetesVersion, releaseOf } from "../data/versions.ts";
import type { ApiGroup } from "../discovery/groups.ts";
import type { Answer, ApiRequest } from "../model/request.ts";
import { StatusError } from "../model/status.ts";
import type { OpenApi } from "../openapi/openapi.ts";
import { checkProduced } from "../request/negotiation.ts";
import type { RequestInfo } from "../request/request-info.ts";
import { healthAnswer, healthMetrics, healthPaths } from "./health.ts";
import type { RequestMetrics } from "./metrics.ts";

const goVersion = "go1.26.0";

/** Returns the version that the server reports. */
function serverVersion(kubernetes: KubernetesVersion): JsonObject {
  const [major = "", minor = ""] = kubernetes.split(".");
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion: releaseOf(kubernetes),
    gitCommit: "0000000000000000000000000000000000000000",
    gitTreeState: "clean",
    buildDate: "2026-07-15T00:00:00Z",
    goVersion,
    compiler: "gc",
    platform: "linux/amd64",
  };
}

/** The paths of the index apart from those of groups and of health checks. */
const otherPaths = [
  ...["/.well-known/openid-configuration", "/api", "/apis", "/apis/", "/flagz", "/metrics", "/metrics/slis"],
  ...["/openapi/v2", "/openapi/v3", "/openapi/v3/", "/openid/v1/jwks", "/statusz", "/version"],
];

/** The parts of the server that {@link createDocuments} uses. */
export interface DocumentParts {
  kubernetes: KubernetesVersion;
  openapi: OpenApi;
  metrics: RequestMetrics;
  accounts: ServiceAccountTokens;
  /** Returns the groups of the API. */
  groups: () => readonly ApiGroup[];
  /** Returns host and port of the server. */
  address: () => string;
  now: () => number;
}

const debugging =
  "Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.";

/**
 * Answers paths that aren't resources: health, version, metrics, OpenAPI, and the keys of service accounts.
 *
 * @param parts - the documents
 * @returns a function that answers a request, or returns undefined for other paths
 */
export function createDocuments(
  parts: DocumentParts,
): (info: RequestInfo, request: ApiRequest) => Answer | Promise<Answer> | undefined {
  const started = parts.now();
  return ({ path, query }, request) => {
    if (path.startsWith("/version/") && /[^/]/.test(path.slice("/version".length))) throw notServed();
    switch (path.replace(/^\/version\/+$/, "/version")) {
      case "/version":
        checkGet(request);
        checkProduced(acceptOf(request), "application/json");
        return {
          status: 200,
          headers: { "content-type": "application/json" },
          body: JSON.stringify(serverVersion(parts.kubernetes), null, 2),
        };
      case "/metrics":
        return metricsAnswer(parts.metrics.text());
      case "/metrics/slis":
        return metricsAnswer(healthMetrics());
      case "/statusz":
        return textOnly(
          request,
          `apiserver statusz\n${debugging}\n\n${statusOf(started, parts.now(), parts.kubernetes)}`,
        );
      case "/flagz":
        // The flags that other servers list have no effect here.
        return textOnly(request, `apiserver flagz\n${debugging}\n`);
      case "/.well-known/openid-configuration":
        checkGet(request);
        return cached(request, "application/json", issuerOf(parts));
      case "/openid/v1/jwks":
        checkGet(request);
        return cached(request, "application/jwk-set+json", parts.accounts.jwks());
      case "/":
      case "/index.html":
        return {
          status: 200,
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ paths: pathsOf(parts.groups()) }, null, 2),
        };
      default:
        return path.startsWith("/openapi/") ? parts.openapi.answer(path, request) : healthAnswer(path, query);
    }
  };
}

function notServed(): StatusError {
  return new StatusError(404, "NotFound", "the server could not find the requested resource", {});
}

function metricsAnswer(body: string): Answer {
  const headers = { "content-type": "text/plain; version=0.0.4; charset=utf-8; escaping=underscores" };
  return { status: 200, headers, body };
}

/** Answers with a text for people. Other forms of it aren't served. */
function textOnly(request: ApiRequest, text: string): Answer {
  const types = acceptOf(request)
    .split(",")
    .map((range) => (range.split(";")[0] as string).trim());
  if (!types.some((type) => type === "" || type === "text/plain" || type === "text/*" || type === "*/*")) {
    const message = "only the following media types are accepted: application/json, application/yaml, text/plain";
    throw new StatusError(406, "NotAcceptable", message);
  }
  return { status: 200, headers: { "content-type": "text/plain; charset=utf-8" }, body: `\n${text}` };
}

function statusOf(started: number, now: number, kubernetes: KubernetesVersion): string {
  const seconds = Math.floor((now - started) / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const [day, date, month, year, time] = new Date(started).toUTCString().replace(",", "").split(" ");
  return [
    `Started:  ${day} ${month} ${String(Number(date)).padStart(2)} ${time} UTC ${year}`,
    `Up:  ${hours} hr ${String(minutes).padStart(2, "0")} min ${String(seconds % 60).padStart(2, "0")} sec`,
    `Go version:  ${goVersion}`,
    `Binary version:  ${releaseOf(kubernetes).slice(1)}`,
    `Emulation version:  ${kubernetes}`,
    "Paths:  /flagz /healthz /livez /metrics /readyz /statusz /version\n",
  ].join("\n");
}

function checkGet({ method }: ApiRequest): void {
  if (method === "GET") return;
  const message = "the server does not allow this method on the requested resource";
  throw new StatusError(405, "MethodNotAllowed", message, {});
}

const acceptOf = ({ headers }: ApiRequest): string => String(headers.accept ?? "");

function cached(request: ApiRequest, type: string, document: JsonObject): Answer {
  checkProduced(acceptOf(request), type);
  const headers = { "content-type": type, "cache-control": "public, max-age=3600" };
  return { status: 200, headers, body: encodeJson(document) };
}

/** Describes the issuer of tokens for OpenID clients. */
function issuerOf({ accounts, address }: DocumentParts): JsonObject {
  return {
    issuer: accounts.issuers[0] as string,
    jwks_uri: `https://${address()}/openid/v1/jwks`,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: accounts.algorithms,
  };
}

/**
 * Returns the index of the server.
 *
 * @param groups - the groups of the API
 * @returns all paths, sorted
 */
export function pathsOf(groups: readonly ApiGroup[]): string[] {
  const paths = groups.flatMap(({ name, versions }) => {
    const path = name === "" ? "/api" : `/apis/${name}`;
    return [path, ...versions.map(({ version }) => `${path}/${version}`)];
  });
  return [...new Set([...paths, ...otherPaths, ...healthPaths()])].sort();
}
