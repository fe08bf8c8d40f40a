import type { KubernetesObject } from "../api/index.ts";
import type { Kind } from "../api/kind.ts";
import type { List, ListOptions, ObjectKey, Reader, ReadOptions, Stored } from "../client/client.ts";
import { errorText } from "../log/error-text.ts";
import type { ReconcileRead } from "../session/records.ts";
import { inspectedScope } from "./scope.ts";

/** Returns a reader that records the reads that the cache answers. The transport records the others. */
export function inspectedReader(inner: Reader): Reader {
  async function recorded<T>(
    what: Pick<ReconcileRead, "verb" | "apiVersion" | "kind" | "namespace" | "name">,
    run: () => Promise<T>,
    describe: (result: T) => Pick<ReconcileRead, "resourceVersion" | "count">,
  ): Promise<T> {
    const scope = inspectedScope.getStore();
    if (!scope) return run();
    const read = { fromServer: false };
    const { reconcile } = scope;
    try {
      const result = await inspectedScope.run({ reconcile, read }, run);
      if (!read.fromServer) reconcile.read({ ...what, from: "cache", ...describe(result) });
      return result;
    } catch (error) {
      if (!read.fromServer) reconcile.read({ ...what, from: "cache", error: errorText(error) });
      throw error;
    }
  }

  const reader = {
    get<T extends KubernetesObject>(kind: Kind<T>, key: ObjectKey, options?: ReadOptions): Promise<Stored<T>> {
      const { namespace, name } = key;
      return recorded(
        { verb: "get", ...named(kind), ...(namespace ? { namespace } : {}), name },
        () => inner.get(kind, key, options) as Promise<Stored<T>>,
        ({ metadata }) => ({ resourceVersion: (metadata as { resourceVersion?: string }).resourceVersion }),
      );
    },
    list<T extends KubernetesObject>(kind: Kind<T>, options?: ListOptions): Promise<List<T>> {
      const namespace = options?.namespace;
      return recorded(
        { verb: "list", ...named(kind), ...(namespace ? { namespace } : {}) },
        () => inner.list(kind, options) as Promise<List<T>>,
        ({ items }) => ({ count: items.length }),
      );
    },
  };
  return reader as unknown as Reader;
}

function named({ apiVersion, kind }: Kind): Pick<ReconcileRead, "apiVersion" | "kind"> {
  return { apiVersion, kind };
}
