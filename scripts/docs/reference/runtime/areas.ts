/** An area of the runtime's reference, which is a page. */
export interface Area {
  readonly title: string;
  /** Name of the page, without its extension. */
  readonly page: string;
  readonly about: string;
  /** Pages to read or have before. */
  readonly requires: string;
  /** Folders under packages/runtime/src, or files directly in it. */
  readonly from: readonly string[];
}

/** In the order of the index. Pages can't be generated for exports from a folder that isn't listed. */
export const areas: readonly Area[] = [
  {
    title: "Kinds and objects",
    page: "kinds",
    about:
      "A kind connects a TypeScript type with the group, version and name under which the API server serves its objects.",
    requires: "[Groups, versions and kinds](../../concepts/groups-versions-kinds.md)",
    from: ["api"],
  },
  {
    title: "Managers",
    page: "manager",
    about: "A manager starts and stops all parts of an operator: controllers, caches, webhooks, metrics and probes.",
    requires: "[What is an operator?](../../concepts/operators.md)",
    from: ["manager", "runnable", "server", "health", "clock", "inspect"],
  },
  {
    title: "Builders",
    page: "builder",
    about: "Builders create a controller or a webhook in a few lines.",
    requires: "[Reconciling](../../concepts/reconciling.md)",
    from: ["builder"],
  },
  {
    title: "Controllers",
    page: "controller",
    about:
      "A controller calls your reconciler for each changed object, and uses its result to decide when to call it again.",
    requires: "[Reconciling](../../concepts/reconciling.md)",
    from: ["controller", "reconcile"],
  },
  {
    title: "Handlers",
    page: "handler",
    about: "A handler converts an event to the requests that it causes.",
    requires: "[Watch other objects](../../guides/watch-other-kinds.md)",
    from: ["handler"],
  },
  {
    title: "Predicates",
    page: "predicate",
    about: "A predicate decides which events reach the handler.",
    requires: "[Reconciling](../../concepts/reconciling.md)",
    from: ["predicate"],
  },
  {
    title: "Sources",
    page: "source",
    about: "A source delivers events to a controller: from watches, channels or a function of yours.",
    requires: "[Control when reconciles run](../../guides/control-reconciles.md)",
    from: ["source"],
  },
  {
    title: "Queues",
    page: "queue",
    about: "A queue holds the requests that wait for their reconcile, with their priority and back-off.",
    requires: "[Control when reconciles run](../../guides/control-reconciles.md)",
    from: ["queue"],
  },
  {
    title: "Clients",
    page: "client",
    about: "A client reads objects from the cache or the API server, and writes them to the API server.",
    requires: "[Read and write objects](../../guides/read-and-write.md)",
    from: ["client", "discovery"],
  },
  {
    title: "Caches",
    page: "cache",
    about: "A cache holds watched objects, so that reads need no request to the API server.",
    requires: "[The cache](../../concepts/cache.md)",
    from: ["cache"],
  },
  {
    title: "Clusters",
    page: "cluster",
    about: "A cluster combines the client, the cache and the event recorder for one API server.",
    requires: "[Watch several clusters](../../guides/several-clusters.md)",
    from: ["cluster"],
  },
  {
    title: "Helpers",
    page: "helpers",
    about:
      "These functions set owner references, finalizers and conditions, calculate with quantities, and write objects only if something changed.",
    requires: "[Reconciling](../../concepts/reconciling.md)",
    from: ["controllerutil", "kstatus", "json"],
  },
  {
    title: "Children",
    page: "children",
    about: "The children of a kind are declared, and reconciled as plain data.",
    requires: "[Children as data](../../concepts/children.md)",
    from: ["children"],
  },
  {
    title: "Events",
    page: "events",
    about: "A recorder writes events about an object, which `kubectl describe` shows.",
    requires: "[Conditions](../../concepts/conditions.md)",
    from: ["events"],
  },
  {
    title: "Webhooks",
    page: "webhook",
    about: "Webhooks validate, default and convert objects while the API server handles a request.",
    requires: "[Write webhooks](../../guides/webhooks.md)",
    from: ["webhook", "certs", "http"],
  },
  {
    title: "Leader election",
    page: "leader-election",
    about: "Leader election selects the one replica that reconciles.",
    requires: "[Leader election](../../concepts/leader-election.md)",
    from: ["leader-election", "shard-group", "shards"],
  },
  {
    title: "Configuration and transport",
    page: "config",
    about: "These functions find the API server and its credentials, and connect to it.",
    requires: "a kubeconfig, or a Pod with a ServiceAccount",
    from: ["config", "transport"],
  },
  {
    title: "Errors",
    page: "errors",
    about: "These classes and functions distinguish the errors of the API server and of the runtime.",
    requires: "[Reconciling](../../concepts/reconciling.md#results-of-a-reconcile)",
    from: ["errors"],
  },
  {
    title: "Logs and traces",
    page: "log",
    about: "Loggers write structured lines. Tracers follow reconciles, requests and webhooks.",
    requires: "[Monitor an operator](../../guides/monitor.md)",
    from: ["log", "tracing"],
  },
  {
    title: "Metrics",
    page: "metrics",
    about: "These classes count and measure what your operator does, and appear at its metrics endpoint.",
    requires: "[Monitor an operator](../../guides/monitor.md)",
    from: ["metrics"],
  },
  {
    title: "External systems",
    page: "external",
    about: "External systems are declared, so that a plan doesn't change them.",
    requires: "[Plan changes](../../guides/plan.md)",
    from: ["external"],
  },
  {
    title: "Simulation",
    page: "simulation",
    about: "A simulation runs your operator under many schedules with faults, and checks rules of yours.",
    requires: "[Simulate an operator](../../guides/simulate.md)",
    from: ["simulation"],
  },
  {
    title: "Testing",
    page: "testing",
    about: "These functions test a reconciler without a server or another process.",
    requires: "[Test an operator](../../guides/testing.md)",
    from: ["testing"],
  },
  {
    title: "Test environments",
    page: "envtest",
    about: "A test environment starts an API server for tests: the embedded one, or a real etcd and kube-apiserver.",
    requires: "[Test an operator](../../guides/testing.md)",
    from: ["envtest", "manifests"],
  },
];

/**
 * Returns the area of a file by its first folder, or by its name if it isn't in one.
 *
 * @param path - the path under packages/runtime/src
 * @throws Error if no area contains the folder
 */
export function areaOf(path: string): Area {
  const [top = ""] = path.replace(/\.ts$/, "").split("/");
  const area = areas.find(({ from }) => from.includes(top));
  if (area === undefined)
    throw new Error(`scripts/docs/reference/runtime/areas.ts: no area found for packages/runtime/src/${path}`);
  return area;
}

/** Values that the pages need besides TypeDoc's model. */
export interface Placed {
  /** Entry point of an export. */
  readonly specifier?: string;
  /** Area of a module. */
  readonly area?: Pick<Area, "title" | "about" | "requires">;
}
