import { type RequestInfo, requestInfo } from "../inspect/request-info.ts";
import type { TransportRequest } from "../transport/transport.ts";

/** Servers don't store reviews: they only answer them. */
const reviews = new Set([
  "subjectaccessreviews",
  "selfsubjectaccessreviews",
  "localsubjectaccessreviews",
  "selfsubjectrulesreviews",
  "tokenreviews",
  "selfsubjectreviews",
]);
const reviewGroups = new Set(["authorization.k8s.io", "authentication.k8s.io"]);
/** These act at once, or return a credential, also as a dry run. */
const refusedSubresources = new Set(["exec", "attach", "portforward", "proxy", "token"]);

/** The groups that kube-apiserver serves itself. */
const builtInGroups = new Set([
  ...["", "apps", "autoscaling", "batch", "extensions", "policy"],
  ...[
    ...["admissionregistration", "apiextensions", "apiregistration", "authentication", "authorization", "certificates"],
    ...[
      "coordination",
      "discovery",
      "events",
      "flowcontrol.apiserver",
      "internal.apiserver",
      "lifecycle",
      "networking",
    ],
    ...["node", "rbac.authorization", "resource", "scheduling", "storage", "storagemigration"],
  ].map((name) => `${name}.k8s.io`),
]);

/** Whether a request is a review, which is sent as it is. */
export function isReview({ group, plural }: Pick<RequestInfo, "group" | "plural">): boolean {
  return reviewGroups.has(group) && reviews.has(plural);
}

/** Whether a request is about an event, which isn't sent. */
export function isEvent({ group, plural }: RequestInfo): boolean {
  return plural === "events" && (group === "" || group === "events.k8s.io");
}

/**
 * Returns what a plan refuses, if it refuses a request.
 *
 * @param sent - the request
 * @param info - its resource
 * @param isUnsafe - whether a write may reach a server that ignores `dryRun`
 * @returns the method and resource; undefined for a permitted request
 */
export function refusal(sent: TransportRequest, info: RequestInfo | undefined, isUnsafe: boolean): string | undefined {
  if (!info) return undefined;
  const { group, plural, subresource } = info;
  if (refusedSubresources.has(subresource)) return `${sent.method} ${plural}/${subresource}`;
  if (sent.method === "GET" || !isUnsafe) return undefined;
  return `${sent.method} ${plural}.${group}, whose server may ignore dry runs,`;
}

/**
 * Returns a request as a dry run. Servers ignore the query of a deletion that has a body, so its body contains it.
 *
 * @param sent - the request
 * @returns the dry run
 */
export function dryRunOf(sent: TransportRequest): TransportRequest {
  if (sent.method !== "DELETE") return { ...sent, query: { ...sent.query, dryRun: "All" } };
  const { dryRun: _, ...query } = sent.query ?? {};
  const given = (sent.body ?? {}) as object;
  const { contentType: __, ...rest } = sent;
  return { ...rest, query, body: { apiVersion: "v1", kind: "DeleteOptions", ...given, dryRun: ["All"] } };
}

/**
 * Checks the head and body of a request as they are sent.
 *
 * @param text - the head and body
 * @param prefixes - the paths of the servers' URLs, such as `/k8s/clusters/c-1`
 * @returns the method and path of a write that isn't a dry run; undefined for all others
 */
export function unplannedWrite(text: string, prefixes: Iterable<string> = []): string | undefined {
  const [line = ""] = text.split("\r\n", 1);
  const [, method = "", target = ""] = /^([A-Z]+) (\S+) HTTP\/1\.1$/.exec(line) ?? [];
  const end = text.indexOf("\r\n\r\n");
  const url = new URL(target, "http://server");
  const refused = `${method || "a request"} ${url.pathname}`;
  if (/^(?:connection: *upgrade|upgrade:)/im.test(text.slice(0, end))) return refused;
  const prefix = [...prefixes].find((one) => url.pathname.startsWith(`${one}/api`)) ?? "";
  const path = url.pathname.slice(prefix.length);
  if (method === "GET" || method === "HEAD" || method === "OPTIONS") {
    return refusedSubresources.has(requestInfo(path)?.subresource ?? "") ? refused : undefined;
  }
  const [, group = "", rest = ""] = /^\/apis\/([^/]+)\/[^/]+\/(.+)$/.exec(path) ?? [];
  if (method === "POST" && isReview({ group, plural: rest.split("/").at(-1) ?? "" })) return undefined;
  const values = url.searchParams.getAll("dryRun");
  if (method === "POST" || method === "PUT" || method === "PATCH") {
    return values.length === 1 && values[0] === "All" ? undefined : refused;
  }
  return method === "DELETE" && isDryRunBody(text.slice(end + 4)) ? undefined : refused;
}

function isDryRunBody(text: string): boolean {
  try {
    const { dryRun } = JSON.parse(text) as { dryRun?: unknown };
    return Array.isArray(dryRun) && dryRun.length === 1 && dryRun[0] === "All";
  } catch {
    return false;
  }
}

/**
 * Reports whether a write may reach a server that ignores dry runs.
 *
 * @param info - the resource of the write
 * @param aggregated - the groups and versions of other API servers, if they are known
 * @param isDefined - whether a known definition describes the resource
 */
export function mayIgnoreDryRuns(
  { group, version }: Pick<RequestInfo, "group" | "version">,
  aggregated: readonly string[] | undefined,
  isDefined: () => boolean,
): boolean {
  if (aggregated) return aggregated.includes(`${group}/${version}`);
  return !builtInGroups.has(group) && !isDefined();
}
