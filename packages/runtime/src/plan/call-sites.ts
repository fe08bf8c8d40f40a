import type { Client } from "../client/client.ts";
import { interceptor } from "../client/wrappers/interceptor.ts";
import { callSite } from "./scope.ts";

/** Returns a client whose writes know where they are called. */
export function withCallSites(client: Client): Client {
  const called = <T>(write: () => Promise<T>): Promise<T> => callSite.run(new Error().stack, write);
  return interceptor.newClient(client, {
    create: (inner, object, options) => called(() => inner.create(object, options)),
    update: (inner, object, options) => called(() => inner.update(object, options)),
    patch: (inner, object, patch, options) => called(() => inner.patch(object, patch, options)),
    apply: (inner, object, options) => called(() => inner.apply(object as never, options)),
    delete: (inner, object, options) => called(() => inner.delete(object, options)),
    deleteAllOf: (inner, kind, options) => called(() => inner.deleteAllOf(kind, options)),
    subResourceCreate: (inner, name, object, body, options) =>
      called(() => inner.subResource(name).create(object, body, options)),
    subResourceUpdate: (inner, name, object, body, options) =>
      called(() =>
        name === "status"
          ? inner.status.update(object, options)
          : inner.subResource(name).update(object, body, options),
      ),
    subResourcePatch: (inner, name, object, patch, options) =>
      called(() =>
        name === "status"
          ? inner.status.patch(object, patch, options)
          : inner.subResource(name).patch(object, patch, options),
      ),
    subResourceApply: (inner, name, object, options) =>
      called(() =>
        name === "status"
          ? inner.status.apply(object as never, options)
          : inner.subResource(name).apply(object, object, options),
      ),
  });
}
