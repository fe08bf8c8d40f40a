import { createUnitTestServer, type UnitTestServer, type UnitTestServerOptions } from "@kubewright/apiserver";
import type { KubernetesObject } from "../api/index.ts";
import type { Client } from "../client/client.ts";
import { kindOf } from "../client/resource.ts";
import { fieldPath } from "../client/selectors.ts";
import type { Clock } from "../clock/clock.ts";
import { readCRDs } from "../envtest/crds/read.ts";
import { parseJson } from "../json/parse.ts";
import { stringifyJson } from "../json/stringify.ts";
import { groupKind, type Kind } from "../kind.ts";
import { InProcessClient } from "./in-process-client.ts";

/** An index of {@link fakeClient}, which allows selecting a kind by a field. */
export interface FakeIndex {
  /** The kind. */
  kind: Kind;
  /** The field, as in the `fields` of a list; the leading dot is optional. */
  field: string;
  /**
   * Returns the values of an object.
   *
   * @param object - the object
   * @returns values by which the object is selected
   */
  values(object: KubernetesObject): readonly (string | undefined)[];
}

/** Options of {@link fakeClient}. */
export interface FakeClientOptions {
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
  indexes?: readonly FakeIndex[];
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
export function fakeClient(options: FakeClientOptions = {}): Client {
  const { crdDirectoryPaths = [], indexes = [], statusSubresource = [], clock } = options;
  const objects = copyOf(options.objects ?? []);
  checkObjects(objects);
  const crds = copyOf(readCRDs({ crds: options.crds ?? [], crdDirectoryPaths, errorIfCRDPathMissing: true }));
  let server: Promise<UnitTestServer> | undefined;
  return new InProcessClient(() => {
    server ??= createUnitTestServer({
      // JSON that was just parsed.
      crds: crds as unknown as UnitTestServerOptions["crds"],
      objects: objects as unknown as UnitTestServerOptions["objects"],
      indexes: indexes.map(({ kind: { group, kind }, field, values }) => ({
        group,
        kind,
        field: fieldPath(field),
        values: (object) => values(object as unknown as KubernetesObject),
      })),
      statusSubresource,
      ...(clock ? { clock } : {}),
    });
    return server;
  });
}

/** Returns objects as a server receives them: copies without `undefined` fields. */
function copyOf<T>(objects: readonly T[]): T[] {
  return parseJson(stringifyJson(objects)) as T[];
}

function checkObjects(objects: readonly KubernetesObject[]): void {
  const found = new Set<string>();
  for (const object of objects) {
    const { metadata = {} } = object;
    const kind = kindOf(object);
    if (!metadata.name) throw new TypeError(`objects: a ${kind.kind} has no name`);
    const what = `${kind.kind} ${JSON.stringify(metadata.name)}`;
    if (metadata.deletionTimestamp && !metadata.finalizers?.length) {
      throw new TypeError(`objects: ${what} has a deletionTimestamp but no finalizers: no server has such an object`);
    }
    const key = `${groupKind(kind)}/${metadata.namespace ?? ""}/${metadata.name}`;
    if (found.has(key)) throw new TypeError(`objects: ${what} occurs twice`);
    found.add(key);
  }
}
