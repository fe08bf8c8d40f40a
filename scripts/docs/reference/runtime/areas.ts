/** An area of the runtime's reference, which is a page. */
export interface Area {
  readonly title: string;
  /** Name of the page, without its extension. */
  readonly page: string;
  readonly about: string;
  /** When readers need it: the end of the sentence "When you need it: …". */
  readonly need: string;
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
    need: "you declare a kind, or type an object",
    requires: "[Groups, versions, kinds and resources](../../concepts/groups-versions-kinds.md)",
    from: ["api"],
  },
  {
    title: "Managers",
    page: "manager",
    about: "A manager starts and stops all parts of an operator: controllers, caches, webhooks, metrics and probes.",
    need: "you start an operator, or change its options",
    requires: "[What is an operator?](../../concepts/operators.md)",
    from: ["manager", "runnable", "server", "health", "clock", "inspect"],
  },
  {
    title: "Builders",
    page: "builder",
    about: "Builders create a controller or a webhook in a few lines.",
    need: "you register a controller or a webhook",
    requires: "[Reconciling](../../concepts/reconciling.md)",
    from: ["builder"],
  },
  {
    title: "Controllers",
    page: "controller",
    about:
      "A controller calls your reconciler for each changed object, and uses its result to decide when to call it again.",
    need: "you write `reconcile`, or tune a controller",
    requires: "[Reconciling](../../concepts/reconciling.md)",
    from: ["controller", "reconcile"],
  },
  {
    title: "Handlers",
    page: "handler",
    about: "A handler converts an event to the requests that it causes.",
    need: "you map events of other objects to requests",
    requires: "[Watch objects that you don't own](../../how-to/watch-other-kinds.md)",
    from: ["handler"],
  },
  {
    title: "Predicates",
    page: "predicate",
    about: "A predicate decides which events reach the handler.",
    need: "you drop events that need no reconcile",
    requires: "[Reconciling](../../concepts/reconciling.md)",
    from: ["predicate"],
  },
  {
    title: "Sources",
    page: "source",
    about: "A source delivers events to a controller: from watches, channels or a function of yours.",
    need: "you trigger reconciles from outside the cluster",
    requires: "[Control when reconciles run](../../how-to/control-reconciles.md)",
    from: ["source"],
  },
  {
    title: "Queues",
    page: "queue",
    about: "A queue holds the requests that wait for their reconcile, with their priority and back-off.",
    need: "you change the back-off, or replace the queue",
    requires: "[Control when reconciles run](../../how-to/control-reconciles.md)",
    from: ["queue"],
  },
  {
    title: "Clients",
    page: "client",
    about: "A client reads objects from the cache or the API server, and writes them to the API server.",
    need: "you read or write objects",
    requires: "[Read and write objects](../../how-to/read-and-write.md)",
    from: ["client", "discovery"],
  },
  {
    title: "Caches",
    page: "cache",
    about: "A cache holds watched objects, so that reads need no request to the API server.",
    need: "you select the objects that the operator watches",
    requires: "[The cache](../../concepts/cache.md)",
    from: ["cache"],
  },
  {
    title: "Clusters",
    page: "cluster",
    about: "A cluster combines the client, the cache and the event recorder for one API server.",
    need: "you watch more than one cluster",
    requires: "[Watch several clusters](../../how-to/several-clusters.md)",
    from: ["cluster"],
  },
  {
    title: "Helpers",
    page: "helpers",
    about:
      "These functions set owner references, finalizers and conditions, calculate with quantities, and write objects only if something changed.",
    need: "you write a reconciler",
    requires: "[Reconciling](../../concepts/reconciling.md)",
    from: ["controllerutil", "kstatus", "json"],
  },
  {
    title: "Events",
    page: "events",
    about: "A recorder writes events about an object, which `kubectl describe` shows.",
    need: "you record what happened to an object",
    requires: "[Conditions](../../concepts/conditions.md)",
    from: ["events"],
  },
  {
    title: "Webhooks",
    page: "webhook",
    about: "Webhooks validate, default and convert objects while the API server handles a request.",
    need: "you write a webhook, or configure its server",
    requires: "[Webhooks](../../concepts/webhooks.md)",
    from: ["webhook", "certs", "http"],
  },
  {
    title: "Leader election",
    page: "leader-election",
    about: "Leader election selects the one replica that reconciles.",
    need: "you change the times of the Lease",
    requires: "[Leader election](../../concepts/leader-election.md)",
    from: ["leader-election"],
  },
  {
    title: "Configuration and transport",
    page: "config",
    about: "These functions find the API server and its credentials, and connect to it.",
    need: "you connect to an API server without a manager",
    requires: "a kubeconfig, or a Pod with a ServiceAccount",
    from: ["config", "transport"],
  },
  {
    title: "Errors",
    page: "errors",
    about: "These classes and functions distinguish the errors of the API server and of the runtime.",
    need: "you handle a particular failure",
    requires: "[Reconciling](../../concepts/reconciling.md#results-of-a-reconcile)",
    from: ["errors"],
  },
  {
    title: "Logs and traces",
    page: "log",
    about: "Loggers write structured lines. Tracers follow reconciles, requests and webhooks.",
    need: "you write log lines, or trace reconciles",
    requires: "[Metrics, logs and probes](../../concepts/observability.md)",
    from: ["log", "tracing"],
  },
  {
    title: "Metrics",
    page: "metrics",
    about: "These classes count and measure what your operator does, and appear at its metrics endpoint.",
    need: "you add metrics of your own",
    requires: "[Metrics, logs and probes](../../concepts/observability.md)",
    from: ["metrics"],
  },
  {
    title: "External systems",
    page: "external",
    about: "External systems are declared, so that a plan doesn't change them.",
    need: "your operator uses systems outside of the cluster",
    requires: "[Plan changes of an operator](../../how-to/plan.md)",
    from: ["external"],
  },
  {
    title: "Simulation",
    page: "simulation",
    about: "A simulation runs your operator under many schedules with faults, and checks rules of yours.",
    need: "you write a simulation",
    requires: "[Simulate an operator](../../how-to/simulate.md)",
    from: ["simulation"],
  },
  {
    title: "Testing",
    page: "testing",
    about: "These functions test a reconciler without a server or another process.",
    need: "you write unit tests",
    requires: "[How to test an operator](../../concepts/testing.md)",
    from: ["testing"],
  },
  {
    title: "Test environments",
    page: "envtest",
    about: "A test environment starts an API server for tests: the embedded one, or a real etcd and kube-apiserver.",
    need: "you write tests with an API server",
    requires: "[How to test an operator](../../concepts/testing.md)",
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
  readonly area?: Pick<Area, "title" | "about" | "need" | "requires">;
}
