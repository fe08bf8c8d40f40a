// Deletions of objects that can't be read, with the option `ignoreStoreReadErrorWithClusterBreakingPotential`.
import { conflict, forbidden, notFound, StatusError } from "../model/status.ts";
import type { DeleteOptions } from "../model/write-options.ts";
import { createAccess } from "./attributes.ts";
import { deleteWithoutFinalizers, readHub } from "./commit.ts";
import { objectKey, parseStored, type Scope } from "./scope.ts";
import { invalidObject, UndecodableError } from "./undecodable.ts";

/** The kinds whose objects the real server can't delete in this way, because their storage is wrapped. */
const withoutUnsafeDeleter = new Set([
  "namespaces",
  ...["clusterrolebindings", "clusterroles", "rolebindings", "roles"].map(
    (name) => `${name}.rbac.authorization.k8s.io`,
  ),
]);
const verb = "unsafe-delete-ignore-read-errors";

/**
 * Deletes an object that can't be read, without finalizers, preconditions and admission.
 *
 * @param scope - the request
 * @param options - its options
 * @throws StatusError if the user has no permission for it, or the object doesn't exist or can be read
 */
export async function deleteUndecodable(scope: Scope, { dryRun }: DeleteOptions): Promise<void> {
  const { group, resource } = scope.type;
  const { name, namespace } = scope.info;
  if (withoutUnsafeDeleter.has(group === "" ? resource : `${resource}.${group}`)) {
    const problem = "no unsafe deleter provided, can not honor ignoreStoreReadErrorWithClusterBreakingPotential";
    throw new StatusError(500, "InternalError", `Internal error occurred: ${problem}`, {
      causes: [{ message: problem }],
    });
  }
  const { allowed, reason } = scope.engine.authorizer.authorize({ ...createAccess(scope), verb });
  if (!allowed) throw forbidden(scope.groupResource, name, `not permitted to do "${verb}", reason: ${reason}`);
  const key = objectKey(scope.type, namespace, name);
  for (;;) {
    const entry = scope.collection.get(key);
    if (entry === undefined) throw notFound(scope.groupResource, name);
    const isReadable = await readHub(scope, entry).then(
      () => true,
      (error: unknown) => {
        if (error instanceof UndecodableError) return false;
        throw error;
      },
    );
    if (scope.collection.get(key) !== entry) continue;
    if (isReadable) throw conflict(scope.groupResource, name, invalidObject(scope, entry));
    deleteWithoutFinalizers(scope, key, parseStored(scope.type, entry.text), dryRun);
    return;
  }
}
