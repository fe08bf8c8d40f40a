// Random lists and deletions of collections with shard selectors, together with other options.
import type { Random } from "../api-schemas/random-schemas.ts";
import { randomSelector, validSelector } from "./random-selectors.ts";

/** A request, and the list of all objects of which it selects some. */
export interface ShardRequest {
  method: "GET" | "DELETE";
  path: string;
  query: Record<string, string>;
  accept: string;
  /** The part of the query that doesn't select a shard. */
  base: Record<string, string>;
  /** True if an option can't be valid. */
  isWrong: boolean;
}

/** The namespaces of the objects. */
export const namespaces = ["team-0", "team-1", "team-2", "prod", "payments-eu-west", "x"];

/** The collections of namespaces and of the cluster, which both servers have with the same names. */
const collections = [
  "/api/v1/configmaps",
  "/apis/example.com/v1/widgets",
  "/apis/example.com/v1/planets",
  "/apis/coordination.k8s.io/v1/leases",
  "/apis/scheduling.k8s.io/v1/priorityclasses",
  "/api/v1/pods",
  ...namespaces
    .slice(0, 3)
    .flatMap((namespace) => [
      `/api/v1/namespaces/${namespace}/configmaps`,
      `/apis/example.com/v1/namespaces/${namespace}/widgets`,
    ]),
];

const asTable = "application/json;as=Table;v=v1;g=meta.k8s.io";
const asPartial = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";

const wrongOptions: readonly Record<string, string>[] = [
  { fieldSelector: "spec.unknown=1" },
  { labelSelector: "a in (" },
  { limit: "x" },
  { resourceVersion: "x" },
  { continue: "!" },
  { resourceVersionMatch: "Exact" },
  { sendInitialEvents: "true" },
];

/**
 * Creates a request.
 *
 * @param random - decides everything
 * @param isOld - true for servers before Kubernetes 1.38, which don't name the shard of partial metadata
 * @returns the request
 */
export function randomRequest(random: Random, isOld: boolean): ShardRequest {
  const path = random.pick(collections);
  const base: Record<string, string> = {};
  if (random.chance(0.2)) base.labelSelector = random.pick(["app=a", "app!=a", "app in (a, b)", "!app"]);
  if (random.chance(0.1)) base.fieldSelector = random.pick(["metadata.name=n1", "metadata.name!=n1"]);
  if (random.chance(0.1) && /configmaps|widgets/.test(path)) base.fieldSelector = "metadata.namespace=team-1";
  const isWrong = random.chance(0.08);
  const shardSelector = random.chance(0.5) ? validSelector(random) : randomSelector(random);
  const query: Record<string, string> = { ...base, shardSelector };
  const isDeletion = random.chance(0.15);
  if (isDeletion) query.dryRun = "All";
  else if (random.chance(0.3)) query.limit = String(random.below(6));
  // Of deletions, the version is a precondition.
  if (!isDeletion && random.chance(0.2)) query.resourceVersion = "0";
  if (isWrong) Object.assign(query, random.pick(wrongOptions));
  const forms = ["application/json", "application/json", asTable, ...(isOld ? [] : [asPartial])];
  return { method: isDeletion ? "DELETE" : "GET", path, query, accept: random.pick(forms), base, isWrong };
}
