import { compareText, goQuote } from "@kubewright/cel/json";
import type { Answer } from "../model/request.ts";
import type { Query } from "../request/query.ts";

/** The checks of the server's start, in the order in which the real server lists them. */
const startHooks = [
  "poststarthook/start-apiserver-admission-initializer",
  "poststarthook/generic-apiserver-start-informers",
  "poststarthook/priority-and-fairness-config-consumer",
  "poststarthook/priority-and-fairness-filter",
  "poststarthook/storage-object-count-tracker-hook",
  "poststarthook/start-apiextensions-informers",
  "poststarthook/start-apiextensions-controllers",
  "poststarthook/crd-informer-synced",
  "poststarthook/start-system-namespaces-controller",
  "poststarthook/peer-endpoint-reconciler-controller",
  "poststarthook/start-cluster-authentication-info-controller",
  "poststarthook/start-kube-apiserver-identity-lease-controller",
  "poststarthook/start-kube-apiserver-identity-lease-garbage-collector",
  "poststarthook/storage-readiness",
  "poststarthook/start-legacy-token-tracking-controller",
  "poststarthook/start-service-ip-repair-controllers",
  "poststarthook/rbac/bootstrap-roles",
  "poststarthook/scheduling/bootstrap-system-priority-classes",
  "poststarthook/priority-and-fairness-config-producer",
  "poststarthook/bootstrap-controller",
  "poststarthook/start-kubernetes-service-cidr-controller",
  "poststarthook/start-kube-aggregator-informers",
  "poststarthook/apiservice-status-local-available-controller",
  "poststarthook/apiservice-status-remote-available-controller",
  "poststarthook/apiservice-registration-controller",
  "poststarthook/apiservice-discovery-controller",
  "poststarthook/kube-apiserver-autoregistration",
  "autoregister-completion",
  "poststarthook/apiservice-openapi-controller",
  "poststarthook/apiservice-openapiv3-controller",
];

const liveness = ["ping", "log", "loopback-serving-certificate", "etcd", ...startHooks];

/** The checks of each endpoint. A server that answers has started, and so all of them pass. */
const checksOf: ReadonlyMap<string, readonly string[]> = new Map([
  ["healthz", liveness],
  ["livez", liveness],
  ["readyz", ["ping", "log", "etcd", "etcd-readiness", "informer-sync", ...startHooks, "shutdown"]],
]);

/** Returns the results of all checks as metrics. */
export function healthMetrics(): string {
  const names = [...new Set([...checksOf.values()].flat())].sort();
  const lines = names.flatMap((name) =>
    [...checksOf]
      .filter(([, checks]) => checks.includes(name))
      .map(([kind]) => `kubernetes_healthcheck{name="${name}",type="${kind}"} 1\n`),
  );
  const help = "[STABLE] This metric records the result of a single healthcheck.";
  return `# HELP kubernetes_healthcheck ${help}\n# TYPE kubernetes_healthcheck gauge\n${lines.join("")}`;
}

const contentType = "text/plain; charset=utf-8";

/** Returns the paths of all health checks. */
export function healthPaths(): string[] {
  return [...checksOf].flatMap(([kind, checks]) => [`/${kind}`, ...checks.map((check) => `/${kind}/${check}`)]);
}

/**
 * Answers a request for the health of the server.
 *
 * @param path - the path of the request
 * @param query - its parameters: `verbose` lists the checks, `exclude` names checks that don't count
 * @returns the answer; undefined if the path isn't one of a check
 */
export function healthAnswer(path: string, query: Query): Answer | undefined {
  const [, kind = "", check] = /^\/([a-z]+)(?:\/(.*))?$/.exec(path) ?? [];
  const checks = checksOf.get(kind);
  if (checks === undefined) return undefined;
  if (check !== undefined) {
    return checks.includes(check) ? { status: 200, headers: { "content-type": contentType }, body: "ok" } : undefined;
  }
  const headers = { "content-type": contentType, "x-content-type-options": "nosniff" };
  if (!query.has("verbose")) return { status: 200, headers, body: "ok" };
  const excluded = query.texts("exclude");
  const lines = checks.map((name) => `[+]${name} ${excluded.includes(name) ? "excluded: " : ""}ok`);
  const unknown = [...new Set(excluded)].filter((name) => !checks.includes(name)).sort(compareText);
  if (unknown.length > 0) {
    lines.push(`warn: some health checks cannot be excluded: no matches for ${unknown.map(goQuote).join(",")}`);
  }
  return { status: 200, headers, body: `${lines.join("\n")}\n${kind} check passed\n` };
}
