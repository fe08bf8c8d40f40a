/** An area of the runtime's reference: a heading, its topic, and its folders. */
export interface Area {
  readonly title: string;
  readonly about: string;
  /** Folders under runtime/src, or files directly in it. */
  readonly from: readonly string[];
}

/** In the order of the page. The page can't be built with exports from a folder that isn't listed. */
export const areas: readonly Area[] = [
  { title: "Kinds and objects", about: "Objects and the names of their kinds.", from: ["kind", "api"] },
  {
    title: "Managers",
    about: "Starts and ends all that an operator consists of.",
    from: ["manager", "health", "clock"],
  },
  { title: "Builders", about: "Wires controllers and webhooks in a few lines.", from: ["builder"] },
  {
    title: "Controllers",
    about: "Reconcilers, their results and their options.",
    from: ["controller", "context", "request"],
  },
  { title: "Handlers", about: "From an event to requests.", from: ["handler"] },
  { title: "Predicates", about: "Which events count.", from: ["predicate"] },
  { title: "Sources", about: "Origins of events.", from: ["source"] },
  { title: "Queues", about: "Requests that wait to be reconciled.", from: ["queue"] },
  { title: "Clients", about: "Reads and writes of objects.", from: ["client", "discovery"] },
  { title: "Caches", about: "Watched objects, which are read without a request to the server.", from: ["cache"] },
  { title: "Clusters", about: "Client, cache and recorder of one cluster.", from: ["cluster"] },
  {
    title: "Helpers",
    about: "Owners, finalizers, conditions, and writes that settle.",
    from: ["controllerutil", "json"],
  },
  { title: "Events", about: "Events about an object, as `kubectl describe` shows them.", from: ["events"] },
  { title: "Webhooks", about: "Admission, conversion, and their certificates.", from: ["webhook", "certs"] },
  { title: "Leader election", about: "One of several replicas works.", from: ["leader-election"] },
  {
    title: "Configuration and transport",
    about: "How the API server is found and talked to.",
    from: ["config", "transport"],
  },
  { title: "Errors", about: "Errors of the API server and of the runtime.", from: ["errors"] },
  {
    title: "Logs and traces",
    about: "Logs and traces of reconciles, requests and webhooks.",
    from: ["log", "tracing"],
  },
  { title: "Metrics", about: "The metrics of an operator itself.", from: ["metrics"] },
  { title: "Testing", about: "Unit tests without processes.", from: ["testing"] },
  { title: "Test environments", about: "A real etcd and kube-apiserver for tests.", from: ["envtest"] },
];

/** Returns the area of a file under runtime/src, by its first folder, or by its name if it isn't in one. */
export function areaOf(path: string): Area {
  const [top = ""] = path.replace(/\.ts$/, "").split("/");
  const area = areas.find(({ from }) => from.includes(top));
  if (area === undefined)
    throw new Error(`scripts/docs/reference/runtime-areas.ts has no area for runtime/src/${path}`);
  return area;
}
