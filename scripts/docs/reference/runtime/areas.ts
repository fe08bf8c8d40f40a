/** An area of the runtime's reference, which is a page. */
export interface Area {
  readonly title: string;
  /** Name of the page, without its extension. */
  readonly page: string;
  readonly about: string;
  /** Folders under runtime/src, or files directly in it. */
  readonly from: readonly string[];
}

/** In the order of the index. Pages can't be generated for exports from a folder that isn't listed. */
export const areas: readonly Area[] = [
  {
    title: "Kinds and objects",
    page: "kinds",
    about: "Objects, and the group, version and name of their kinds.",
    from: ["kind", "api"],
  },
  {
    title: "Managers",
    page: "manager",
    about: "Start and stop all parts of an operator.",
    from: ["manager", "health", "clock", "inspect"],
  },
  { title: "Builders", page: "builder", about: "Create controllers and webhooks in a few lines.", from: ["builder"] },
  {
    title: "Controllers",
    page: "controller",
    about: "Reconcilers, their results and their options.",
    from: ["controller", "context", "request"],
  },
  { title: "Handlers", page: "handler", about: "Convert events to requests.", from: ["handler"] },
  { title: "Predicates", page: "predicate", about: "Filter events.", from: ["predicate"] },
  { title: "Sources", page: "source", about: "Origins of events.", from: ["source"] },
  { title: "Queues", page: "queue", about: "Requests that wait for their reconcile.", from: ["queue"] },
  { title: "Clients", page: "client", about: "Read and write objects.", from: ["client", "discovery"] },
  {
    title: "Caches",
    page: "cache",
    about: "Watched objects, which are read without a request to the server.",
    from: ["cache"],
  },
  {
    title: "Clusters",
    page: "cluster",
    about: "The client, the cache and the recorder of one cluster.",
    from: ["cluster"],
  },
  {
    title: "Helpers",
    page: "helpers",
    about: "Owner references, finalizers, conditions, quantities and idempotent writes.",
    from: ["controllerutil", "json"],
  },
  { title: "Events", page: "events", about: "Events about an object, as in `kubectl describe`.", from: ["events"] },
  {
    title: "Webhooks",
    page: "webhook",
    about: "Admission, conversion, and their certificates.",
    from: ["webhook", "certs"],
  },
  {
    title: "Leader election",
    page: "leader-election",
    about: "Selects one of several replicas to reconcile.",
    from: ["leader-election"],
  },
  {
    title: "Configuration and transport",
    page: "config",
    about: "Finding the API server and connecting to it.",
    from: ["config", "transport"],
  },
  { title: "Errors", page: "errors", about: "Errors of the API server and of the runtime.", from: ["errors"] },
  {
    title: "Logs and traces",
    page: "log",
    about: "Logs and traces of reconciles, requests and webhooks.",
    from: ["log", "tracing"],
  },
  { title: "Metrics", page: "metrics", about: "Classes for your own metrics.", from: ["metrics"] },
  {
    title: "Simulation",
    page: "simulation",
    about: "Operators under many schedules with faults.",
    from: ["simulation"],
  },
  { title: "Testing", page: "testing", about: "Unit tests without processes.", from: ["testing"] },
  {
    title: "Test environments",
    page: "envtest",
    about: "A real etcd and kube-apiserver for tests.",
    from: ["envtest"],
  },
];

/**
 * Returns the area of a file by its first folder, or by its name if it isn't in one.
 *
 * @param path - the path under runtime/src
 * @throws Error if no area contains the folder
 */
export function areaOf(path: string): Area {
  const [top = ""] = path.replace(/\.ts$/, "").split("/");
  const area = areas.find(({ from }) => from.includes(top));
  if (area === undefined)
    throw new Error(`scripts/docs/reference/runtime/areas.ts: no area found for runtime/src/${path}`);
  return area;
}

/** Values that the pages need besides TypeDoc's model. */
export interface Placed {
  /** Entry point of an export. */
  readonly specifier?: string;
  /** Area of a module. */
  readonly area?: { readonly title: string; readonly about: string };
}
