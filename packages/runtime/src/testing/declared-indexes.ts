import type { KubernetesObject } from "../api/index.ts";
import type { Kind } from "../api/kind.ts";
import { silentLogger } from "../log/logger.ts";
import type { Manager } from "../manager/manager.ts";
import type { Transport } from "../transport/transport.ts";

/** An index as {@link Manager.cache} receives it. */
interface DeclaredIndex {
  readonly kind: Kind;
  readonly field: string;
  readonly values: (object: never) => readonly string[];
}

/** Returns the indexes that a function declares with a manager, which never starts. */
export async function declaredIndexes(setup: (mgr: Manager) => void | Promise<void>): Promise<DeclaredIndex[]> {
  // Loaded on demand, because most unit tests need no manager.
  const { Manager } = await import("../manager/manager.ts");
  const mgr = await Manager.create(
    { host: "http://fake-client" },
    { transport, logger: silentLogger, metrics: { bindAddress: "0" }, controller: { skipNameValidation: true } },
  );
  const indexes: DeclaredIndex[] = [];
  mgr.cache.indexField = <T extends KubernetesObject>(
    kind: Kind<T>,
    field: string,
    values: (object: T) => readonly string[],
  ) => {
    indexes.push({ kind, field, values });
  };
  await setup(mgr);
  return indexes;
}

async function refuse(): Promise<never> {
  throw new Error("fakeClient: setup can't send requests, because its manager has no API server");
}

const transport: Transport = { request: refuse, stream: refuse, close: async () => {} };
