import {
  changeAt,
  type Fields,
  fieldsOf,
  isFields,
  listOf,
  textOf,
  type Value,
  valueAt,
} from "../../yaml/plain-values.ts";
import type { Resource } from "../kustomize/build/build.ts";

/** Whether an object is the Deployment of the manager. */
export function isManager({ object }: Resource): boolean {
  return object.kind === "Deployment" && textOf(valueAt(object, "metadata", "labels", "control-plane")) !== "";
}

const podPath = ["spec", "template", "spec"];

/** Returns the index of the manager's container: the one named `manager`, or the first. */
export function managerIndex(deployment: Fields): number {
  const names = listOf(valueAt(deployment, ...podPath, "containers")).map((each) => fieldsOf(each).name);
  return Math.max(0, names.indexOf("manager"));
}

/** The fields that sharding changes, and that users of the chart set by values. */
const rolloutFields: readonly (readonly string[])[] = [
  ["spec", "replicas"],
  ["spec", "strategy"],
  [...podPath, "terminationGracePeriodSeconds"],
];

/** Returns the Deployment with the replicas and the rollout of another form of it, which are values regardless of switches. */
export function withRolloutOf(deployment: Fields, other: Fields): Fields {
  return rolloutFields.reduce(
    (now, path) => changeAt(now, path, () => valueAt(other, ...path), valueAt(other, ...path) !== undefined) as Fields,
    deployment,
  );
}

/** Returns the manager's container in its Deployment. */
export function managerContainer(deployment: Fields): Fields {
  return fieldsOf(listOf(valueAt(deployment, ...podPath, "containers"))[managerIndex(deployment)]);
}

/** Returns the Deployment with changed arguments of the manager. */
export function withArgs(deployment: Fields, change: (args: readonly string[]) => readonly string[]): Fields {
  const index = managerIndex(deployment);
  return changeAt(deployment, [...podPath, "containers"], (containers) =>
    listOf(containers).map((each, at) =>
      at === index && isFields(each) ? { ...each, args: change(listOf(each.args).map(String)) as Value } : each,
    ),
  ) as Fields;
}

/** The ports of the manager's servers, from its flags. */
export interface Ports {
  readonly metrics?: number;
  readonly health?: number;
  readonly webhook?: number;
}

const portFlags = {
  metrics: /^--metrics-bind-address=(?:.*:)?(\d+)$/,
  health: /^--health-probe-bind-address=(?:.*:)?(\d+)$/,
  webhook: /^--webhook-port=(\d+)$/,
} as const;

/** Returns which port a flag sets; undefined for other flags, and for flags that disable a server. */
export function portOfFlag(arg: string): { readonly of: keyof Ports; readonly port: number } | undefined {
  for (const of of ["metrics", "health", "webhook"] as const) {
    const port = Number(portFlags[of].exec(arg)?.[1] ?? 0);
    if (port > 0) return { of, port };
  }
  return undefined;
}

export function portsOf(args: readonly string[]): Ports {
  return Object.fromEntries(args.flatMap((arg) => portOfFlag(arg) ?? []).map(({ of, port }) => [of, port]));
}
