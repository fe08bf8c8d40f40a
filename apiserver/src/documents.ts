import type { JsonObject } from "./json/json.ts";
import type { RequestMetrics } from "./metrics.ts";
import type { OpenApi } from "./openapi/openapi.ts";
import { negotiate } from "./request/negotiation.ts";
import type { Answer, ApiRequest } from "./request/request.ts";
import type { RequestInfo } from "./request/request-info.ts";
import { StatusError } from "./request/status.ts";

/** The version that the server reports. */
export const serverVersion: JsonObject = {
  major: "1",
  minor: "36",
  emulationMajor: "1",
  emulationMinor: "36",
  minCompatibilityMajor: "1",
  minCompatibilityMinor: "35",
  gitVersion: "v1.36.3",
  gitCommit: "0000000000000000000000000000000000000000",
  gitTreeState: "clean",
  buildDate: "2026-07-15T00:00:00Z",
  goVersion: "go1.26.0",
  compiler: "gc",
  platform: "linux/amd64",
};

const checks = ["ping", "log", "etcd"];
const text = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };

/**
 * Answers paths that aren't resources: health, version, metrics and OpenAPI.
 *
 * @param parts - the documents, and whether the server is ready
 * @returns a function that answers a request, or returns undefined for other paths
 */
export function createDocuments(parts: {
  openapi: OpenApi;
  metrics: RequestMetrics;
  isReady: () => boolean;
}): (info: RequestInfo, request: ApiRequest) => Answer | Promise<Answer> | undefined {
  return (info, request) => {
    const path = info.path.length > 1 ? info.path.replace(/\/+$/, "") : info.path;
    const health = /^\/(healthz|livez|readyz)(?:\/(.*))?$/.exec(path);
    if (health !== null) return healthAnswer(health[1] as string, health[2], info, parts.isReady());
    switch (path) {
      case "/version":
        if (request.method !== "GET") throw methodNotAllowed();
        negotiate(String(request.headers.accept ?? ""), { encodings: ["json"], transforms: false });
        return {
          status: 200,
          headers: { "content-type": "application/json" },
          body: `${JSON.stringify(serverVersion, null, 2)}\n`,
        };
      case "/metrics":
        return {
          status: 200,
          headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
          body: parts.metrics.text(),
        };
      case "/":
        return {
          status: 200,
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ paths: parts.openapi.paths() }, null, 2),
        };
      default:
        return path.startsWith("/openapi/") ? parts.openapi.answer(path, request) : undefined;
    }
  };
}

function methodNotAllowed(): StatusError {
  const message = "the server does not allow this method on the requested resource";
  return new StatusError(405, "MethodNotAllowed", message, {});
}

function healthAnswer(kind: string, check: string | undefined, info: RequestInfo, ready: boolean): Answer | undefined {
  if (check !== undefined) {
    const { "content-type": type } = text;
    return checks.includes(check) ? { status: 200, headers: { "content-type": type }, body: "ok" } : undefined;
  }
  const excluded = info.query.texts("exclude");
  const failed = kind !== "livez" && !ready;
  if (!failed && !info.query.has("verbose")) return { status: 200, headers: text, body: "ok" };
  const lines = checks.map((name) => `[+]${name} ${excluded.includes(name) ? "excluded: " : ""}ok`);
  if (failed) lines.push("[-]poststarthook/bootstrap failed: reason withheld");
  const end = failed ? `${kind} check failed` : `${kind} check passed`;
  return { status: failed ? 500 : 200, headers: text, body: `${lines.join("\n")}\n${end}\n` };
}
