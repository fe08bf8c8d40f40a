/** What stands together in the reference of the runtime: a heading, what it is about, and the folders that it is made of. */
export interface Area {
  readonly title: string;
  readonly about: string;
  /** Folders under runtime/src, or files of that folder itself. */
  readonly from: readonly string[];
}

/** In the order of the page. A name from a folder that stands nowhere here fails the build of the page. */
export const areas: readonly Area[] = [
  { title: "Kinds and objects", about: "What an object is, and how its kind is named.", from: ["kind", "api"] },
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
  { title: "Sources", about: "Where events come from.", from: ["source"] },
  { title: "Queues", about: "What waits to be reconciled, and how long.", from: ["queue"] },
  { title: "Clients", about: "Reads and writes of objects.", from: ["client", "discovery"] },
  { title: "Caches", about: "What is watched, and read without asking the server.", from: ["cache"] },
  { title: "Clusters", about: "Client, cache and recorder of one cluster.", from: ["cluster"] },
  {
    title: "Helpers",
    about: "Owners, finalizers, conditions, and writes that settle.",
    from: ["controllerutil", "json"],
  },
  { title: "Events", about: "What is told about an object.", from: ["events"] },
  { title: "Webhooks", about: "Admission, conversion, and their certificates.", from: ["webhook", "certs"] },
  { title: "Leader election", about: "One of several replicas works.", from: ["leader-election"] },
  {
    title: "Configuration and transport",
    about: "How the API server is found and talked to.",
    from: ["config", "transport"],
  },
  { title: "Errors", about: "What the API server, and the runtime, refuse.", from: ["errors"] },
  { title: "Logs and traces", about: "What is said of the work.", from: ["log", "tracing"] },
  { title: "Metrics", about: "The metrics of an operator itself.", from: ["metrics"] },
  { title: "Testing", about: "Unit tests without processes.", from: ["testing"] },
  { title: "Test environments", about: "A real etcd and kube-apiserver for tests.", from: ["envtest"] },
];

/** The area of a file under runtime/src, by its first folder, or its name where it is in none. */
export function areaOf(path: string): Area {
  const [top = ""] = path.replace(/\.ts$/, "").split("/");
  const area = areas.find(({ from }) => from.includes(top));
  if (area === undefined) throw new Error(`hack/reference/runtime-areas.ts has no area for runtime/src/${path}`);
  return area;
}
