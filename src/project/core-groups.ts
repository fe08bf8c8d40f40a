/** A built-in API group: its domain, and its directory in the runtime's API types. */
export interface CoreGroup {
  /** Empty for legacy groups without a domain. */
  readonly domain: string;
  /** Such as `rbac` in `@kubewright/runtime/api/rbac/v1`. */
  readonly directory: string;
}

const k8s = "k8s.io";

/** By the value of `--group`: without the domain, and `core` for the empty group. */
const groups: Readonly<Record<string, CoreGroup>> = {
  admissionregistration: { domain: k8s, directory: "admissionregistration" },
  apiextensions: { domain: k8s, directory: "apiextensions" },
  apps: { domain: "", directory: "apps" },
  authentication: { domain: k8s, directory: "authentication" },
  authorization: { domain: k8s, directory: "authorization" },
  autoscaling: { domain: "", directory: "autoscaling" },
  batch: { domain: "", directory: "batch" },
  certificates: { domain: k8s, directory: "certificates" },
  coordination: { domain: k8s, directory: "coordination" },
  core: { domain: "", directory: "core" },
  discovery: { domain: k8s, directory: "discovery" },
  events: { domain: k8s, directory: "events" },
  "flowcontrol.apiserver": { domain: k8s, directory: "flowcontrol" },
  networking: { domain: k8s, directory: "networking" },
  node: { domain: k8s, directory: "node" },
  policy: { domain: "", directory: "policy" },
  "rbac.authorization": { domain: k8s, directory: "rbac" },
  resource: { domain: k8s, directory: "resource" },
  scheduling: { domain: k8s, directory: "scheduling" },
  storage: { domain: k8s, directory: "storage" },
  storagemigration: { domain: k8s, directory: "storagemigration" },
};

/** Returns the built-in group for a value of `--group`, or undefined. */
export function coreGroup(group: string): CoreGroup | undefined {
  return Object.hasOwn(groups, group) ? groups[group] : undefined;
}

/** Returns the value of `--group` and the domain of a built-in group by its directory in k8s.io/api, or undefined. */
export function coreGroupOf(directory: string): readonly [group: string, domain: string] | undefined {
  const entry = Object.entries(groups).find(([, { directory: each }]) => each === directory);
  return entry === undefined ? undefined : [entry[0], entry[1].domain];
}
