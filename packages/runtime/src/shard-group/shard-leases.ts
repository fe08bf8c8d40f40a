import type { Stored } from "../client/client.ts";
import { Lease, microTime } from "../leader-election/lease.ts";
import type { MemberState } from "../shards/balance.ts";
import type { ShardKey } from "../shards/selector.ts";
import { formatTable, parseTable, type ShardTable, ShardTableError } from "../shards/table.ts";

/** Label of all Leases of a group, whose value is the ID of the election. */
export const groupLabel = "sharding.kubewright.io/group";
const rangesAnnotation = "sharding.kubewright.io/ranges";
const keyAnnotation = "sharding.kubewright.io/key";
const objectsAnnotation = "sharding.kubewright.io/objects";
const stateAnnotation = "sharding.kubewright.io/state";
const indivisibleAnnotation = "sharding.kubewright.io/indivisible";
const suspendedAnnotation = "sharding.kubewright.io/suspended-by";

/** Label of the election's Lease since a process with sharding has led. A leader without sharding removes it. */
export const shardedLabel = "sharding.kubewright.io/sharded";

/** The Leases of a group. */
export interface GroupName {
  namespace: string;
  /** ID of the election. */
  id: string;
}

/** The published status of a member. */
export interface MemberStatus {
  state: MemberState;
  /** Number of its reconciled objects. */
  objects: number;
  /** Whether it can't give objects, because most of them have one key. */
  isIndivisible: boolean;
}

/** The content of a table. */
export interface TableContent {
  key: ShardKey;
  ranges: ShardTable;
  /** Identity of the leader without sharding that reconciles all objects. While it is set, no member takes a range. */
  suspendedBy?: string | undefined;
}

/** Returns the name of the table. */
export function tableName(id: string): string {
  return `${id}-shards`;
}

/** Returns the Lease of a member. */
export function memberLease(
  { namespace, id }: GroupName,
  name: string,
  identity: string,
  options: { status: MemberStatus; leaseDuration: number; date: Date; labels?: Readonly<Record<string, string>> },
): Lease {
  const time = microTime(options.date);
  return {
    apiVersion: Lease.apiVersion,
    kind: Lease.kind,
    metadata: {
      namespace,
      name: `${id}-${name}`,
      labels: { ...options.labels, [groupLabel]: id },
      annotations: annotationsOf(options.status),
    },
    spec: {
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(options.leaseDuration / 1000),
      acquireTime: time,
      renewTime: time,
    },
  };
}

/** Returns the Lease of a member with a later time and its current status. */
export function renewedLease(lease: Stored<Lease>, status: MemberStatus, date: Date): Stored<Lease> {
  const annotations = { ...lease.metadata.annotations, ...annotationsOf(status) };
  return {
    ...lease,
    metadata: { ...lease.metadata, annotations },
    spec: { ...lease.spec, renewTime: microTime(date) },
  };
}

function annotationsOf({ state, objects, isIndivisible }: MemberStatus): Record<string, string> {
  return {
    [stateAnnotation]: state,
    [objectsAnnotation]: String(objects),
    [indivisibleAnnotation]: String(isIndivisible),
  };
}

/** Returns the published status of a member. Unknown values, which only another client can write, count as joining and 0. */
export function statusOf({ metadata: { annotations = {} } }: Lease): MemberStatus {
  const state = annotations[stateAnnotation];
  const objects = Number(annotations[objectsAnnotation]);
  return {
    state: state === "active" || state === "leaving" ? state : "joining",
    objects: Number.isSafeInteger(objects) && objects > 0 ? objects : 0,
    isIndivisible: annotations[indivisibleAnnotation] === "true",
  };
}

/** Returns the table's Lease. */
export function tableLease({ namespace, id }: GroupName, content: TableContent): Lease {
  return {
    apiVersion: Lease.apiVersion,
    kind: Lease.kind,
    metadata: { namespace, name: tableName(id), labels: { [groupLabel]: id }, annotations: tableAnnotations(content) },
    spec: {},
  };
}

/** Returns the table's Lease with another content. */
export function changedTable(lease: Stored<Lease>, content: TableContent): Stored<Lease> {
  const { [suspendedAnnotation]: _, ...others } = lease.metadata.annotations ?? {};
  return { ...lease, metadata: { ...lease.metadata, annotations: { ...others, ...tableAnnotations(content) } } };
}

/** Returns the table's Lease without owners, and suspended by a leader without sharding. */
export function suspendedTable(lease: Stored<Lease>, { key, ranges }: TableContent, identity: string): Stored<Lease> {
  const free = ranges.map((entry) => ({ ...entry, owner: "" }));
  return changedTable(lease, { key, ranges: free, suspendedBy: identity });
}

function tableAnnotations({ key, ranges, suspendedBy }: TableContent): Record<string, string> {
  return {
    [keyAnnotation]: key,
    [rangesAnnotation]: formatTable(ranges),
    ...(suspendedBy === undefined ? {} : { [suspendedAnnotation]: suspendedBy }),
  };
}

/** @throws ShardTableError if the annotations aren't valid */
export function tableOf({ metadata: { annotations = {} } }: Lease): TableContent {
  const key = annotations[keyAnnotation];
  if (key !== "namespace" && key !== "uid") {
    throw new ShardTableError(
      `the table of shards: ${keyAnnotation} is ${JSON.stringify(key)}, it must be namespace or uid`,
    );
  }
  const ranges = parseTable(annotations[rangesAnnotation] ?? "");
  return { key, ranges, suspendedBy: annotations[suspendedAnnotation] };
}
