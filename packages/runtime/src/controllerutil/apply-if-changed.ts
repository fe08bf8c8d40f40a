import { createHash } from "node:crypto";
import type { KubernetesObject } from "../api/index.ts";
import type { ApplyOptions, Client, Stored } from "../client/client.ts";
import type { ApplyConfiguration } from "../client/object-types.ts";
import { ignoreNotFound } from "../errors/predicates.ts";
import { stringifyJson } from "../json/stringify.ts";
import { kindOf } from "./kind-of.ts";

/** The last apply of an object. */
interface Applied {
  /** Hash of the configuration. */
  readonly configuration: string;
  /** Hash of the stored object without its status, as a read returns it. */
  readonly object: string;
  readonly resourceVersion: string;
}

/** Number of objects of a client whose last apply is known. The oldest is forgotten, which costs one request. */
const kept = 10_000;
const appliedBy = new WeakMap<Client, Map<string, Applied>>();

/**
 * Applies an object, unless this process has applied the same configuration before and nothing but the status has changed since. A
 * reconcile of a settled object therefore sends no write. The object is read from the cache of `client` if its kind is watched.
 * After a restart, the first apply of each object is sent.
 *
 * @param client - reads and applies the object
 * @param configuration - the fields to apply
 * @param options - see {@link ApplyOptions}
 * @returns the stored object
 * @throws ApiError if the server refuses the read or apply; `isConflict` if another owner has a field and `force` isn't set
 *
 * @example
 * const { apiVersion, kind } = deployment;
 * const metadata = { name: deployment.metadata.name, namespace: deployment.metadata.namespace };
 * await applyIfChanged<Deployment>(client, { apiVersion, kind, metadata, spec: { replicas: 2 } }, { fieldOwner: "game" });
 */
export async function applyIfChanged<T extends KubernetesObject = never>(
  client: Client,
  configuration: ApplyConfiguration<T>,
  options: ApplyOptions,
): Promise<Stored<T>>;
/**
 * Applies an object whose type isn't an {@link ApplyConfiguration}, such as one of a list with several kinds, unless nothing has
 * changed.
 *
 * @param client - reads and applies the object
 * @param object - the identity of the object and the fields to apply
 * @param options - see {@link ApplyOptions}
 * @returns the stored object
 * @throws ApiError if the server refuses the read or apply; `isConflict` if another owner has a field and `force` isn't set
 */
export async function applyIfChanged<T extends KubernetesObject>(
  client: Client,
  object: T,
  options: ApplyOptions,
): Promise<Stored<T>>;
export async function applyIfChanged(
  client: Client,
  object: KubernetesObject,
  options: ApplyOptions,
): Promise<Stored<KubernetesObject>> {
  const applied = appliedBy.get(client) ?? new Map<string, Applied>();
  appliedBy.set(client, applied);
  const { apiVersion, kind, metadata: { namespace, name = "" } = {} } = object;
  const key = [options.fieldOwner, apiVersion, kind, namespace ?? "", name].join("\n");
  const wanted = hashOf(object);
  const before = applied.get(key);
  if (before?.configuration === wanted) {
    const current = await ignoreNotFound(client.get(kindOf(object), { namespace, name }));
    if (current !== undefined) {
      // A cache can drop fields that the response of the apply had: the same version is the same object.
      const hash = hashOf(withoutStatus(current));
      if (current.metadata.resourceVersion === before.resourceVersion || hash === before.object) {
        applied.set(key, { ...before, object: hash });
        return current;
      }
    }
  }
  const stored = await client.apply(object, options);
  const { resourceVersion } = stored.metadata;
  applied.delete(key);
  applied.set(key, { configuration: wanted, object: hashOf(withoutStatus(stored)), resourceVersion });
  const [oldest] = applied.keys();
  if (applied.size > kept && oldest !== undefined) applied.delete(oldest);
  return stored;
}

/** Returns the parts of an object that others change only to change what was applied. */
function withoutStatus(object: Stored<KubernetesObject>): unknown {
  const { metadata, ...rest } = object;
  const { resourceVersion: _r, managedFields: _m, ...kept } = metadata;
  return { ...rest, metadata: kept, status: undefined };
}

function hashOf(value: unknown): string {
  return createHash("sha256")
    .update(stringifyJson(sorted(value)))
    .digest("base64");
}

/** Returns a value whose maps have sorted keys, because caches and responses may have another order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, each]) => [key, sorted(each)]));
}
