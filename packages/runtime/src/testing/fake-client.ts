import { createUnitTestServer, type UnitTestServer, type UnitTestServerOptions } from "@kubewright/apiserver";
import type { KubernetesObject } from "../api/index.ts";
import { groupKind, type Kind } from "../api/kind.ts";
import type { Client } from "../client/client.ts";
import { kindOf } from "../client/resource.ts";
import { fieldPath } from "../client/selectors.ts";
import type { Clock } from "../clock/clock.ts";
import { parseJson } from "../json/parse.ts";
import { stringifyJson } from "../json/stringify.ts";
import type { Manager } from "../manager/manager.ts";
import { readCRDs } from "../manifests/crds.ts";
import { declaredIndexes } from "./declared-indexes.ts";
import { InProcessClient } from "./in-process-client.ts";

/** An index of {@link fakeClient}, which allows selecting a kind by a field. */
export interface FakeIndex<T extends KubernetesObject = KubernetesObject> {
  /** The kind. */
  kind: Kind<T>;
  /** The field, as in the `fields` of a list; the leading dot is optional. */
  field: string;
  /**
   * Returns the values of an object.
   *
   * @param object - the object
   * @returns values by which the object is selected
   */
  values(object: T): readonly (string | undefined)[];
}

/** Options of {@link fakeClient}. `I` contains the type of each index's objects. */
export interface FakeClientOptions<I extends readonly KubernetesObject[] = readonly KubernetesObject[]> {
  /**
   * Objects that exist at the start, including status and timestamps. They get the defaults of their kinds, but aren't
   * validated.
   *
   * @defaultValue none
   */
  objects?: readonly KubernetesObject[];
  /**
   * CustomResourceDefinitions. Objects of their kinds are validated, including CEL rules, defaulted and pruned by their
   * schemas.
   *
   * @defaultValue none
   */
  crds?: readonly KubernetesObject[];
  /**
   * Files and directories (without subdirectories) with CustomResourceDefinitions, such as `["config/crd/bases"]`.
   *
   * @defaultValue none
   */
  crdDirectoryPaths?: readonly string[];
  /**
   * Fields by which `list` and `watch` can select objects, besides those of the API server.
   *
   * @defaultValue none
   */
  indexes?: { [N in keyof I]: FakeIndex<I[N]> };
  /**
   * Declares the indexes as the operator does, instead of {@link indexes}: calls `setupWithManager` of a reconciler. The
   * manager never starts. It is called with the first request.
   *
   * @param mgr - a manager that records the indexes of its cache
   * @returns a promise, or nothing
   *
   * @defaultValue none
   */
  setup?(mgr: Manager): void | Promise<void>;
  /**
   * Custom kinds with a status subresource, if no CRD is set for them.
   *
   * @defaultValue none
   */
  statusSubresource?: readonly Kind[];
  /**
   * Clock of the timestamps, such as a `VirtualClock`.
   *
   * @defaultValue the clock of the machine
   */
  clock?: Clock;
}

/**
 * Creates a client of an API server in this process, for unit tests. The server is that of the package
 * `@kubewright/apiserver`: it defaults and validates built-in kinds, and custom kinds with a CRD, and evaluates their CEL
 * rules. Custom kinds without a CRD can have any fields. Statuses of built-in kinds aren't validated: a test can write only
 * the part that the reconciler reads.
 *
 * Namespaces need not exist, deletions don't wait for controllers, and everything is permitted. Admission doesn't run,
 * webhooks aren't called, and no controllers run: nothing starts Pods or deletes dependent objects. Use a
 * `TestEnvironment` for these.
 *
 * @param options - see {@link FakeClientOptions}
 * @returns the client
 * @throws Error if a CRD can't be read, or an object occurs twice
 *
 * @example
 * const client = fakeClient({ objects: [game], crdDirectoryPaths: ["config/crd/bases"] });
 * await new GameReconciler(client).reconcile(ctx, { namespace: "default", name: "sample" });
 * expect((await client.get(Game, { namespace: "default", name: "sample" })).status?.phase).toBe("Ready");
 */
export function fakeClient<const I extends readonly KubernetesObject[] = readonly KubernetesObject[]>(
  options: FakeClientOptions<I> = {},
): Client {
  const { crdDirectoryPaths = [], statusSubresource = [], clock, setup } = options;
  const indexes = (options.indexes ?? []) as unknown as readonly FakeIndex[];
  const objects = copyOf(options.objects ?? []);
  checkObjects(objects);
  const crds = copyOf(readCRDs({ crds: options.crds ?? [], crdDirectoryPaths, errorIfCRDPathMissing: true }));
  const start = async (): Promise<UnitTestServer> => {
    const declared = setup === undefined ? [] : await declaredIndexes(setup);
    return createUnitTestServer({
      // JSON that was just parsed.
      crds: crds as unknown as UnitTestServerOptions["crds"],
      objects: objects as unknown as UnitTestServerOptions["objects"],
      indexes: [...indexes, ...declared].map(({ kind: { group, kind }, field, values }) => ({
        group,
        kind,
        field: fieldPath(field),
        values: (object) => values(object as never),
      })),
      statusSubresource,
      ...(clock ? { clock } : {}),
    });
  };
  let server: Promise<UnitTestServer> | undefined;
  return new InProcessClient(() => {
    server ??= start();
    return server;
  });
}

/** Returns objects as a server receives them: copies without `undefined` fields. */
function copyOf<T>(objects: readonly T[]): T[] {
  return parseJson(stringifyJson(objects)) as T[];
}

function checkObjects(objects: readonly KubernetesObject[]): void {
  const ids = new Set<string>();
  for (const object of objects) {
    const { metadata = {} } = object;
    const kind = kindOf(object);
    if (!metadata.name) throw new TypeError(`objects: a ${kind.kind} has no name`);
    const what = `${kind.kind} ${JSON.stringify(metadata.name)}`;
    if (metadata.deletionTimestamp && !metadata.finalizers?.length) {
      throw new TypeError(`objects: ${what} has a deletionTimestamp but no finalizers: no server has such an object`);
    }
    const key = `${groupKind(kind)}/${metadata.namespace ?? ""}/${metadata.name}`;
    if (ids.has(key)) throw new TypeError(`objects: ${what} occurs twice`);
    ids.add(key);
  }
}
