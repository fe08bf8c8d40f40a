import type { KubernetesObject } from "../api/index.ts";
import { splitApiVersion } from "../api/kind.ts";
import type { RestMapper } from "../discovery/rest-mapper.ts";
import { type MissingPermission, missingPermission, rbacMarker } from "../errors/missing-permission.ts";
import { findApiError, isForbidden } from "../errors/predicates.ts";
import type { Logger } from "../log/logger.ts";
import type { Transport, TransportRequest } from "../transport/transport.ts";

export interface MissingPermissionsOptions {
  logger: Logger;
  mapper: () => RestMapper;
  /** Namespaces of an operator that is limited to some: it requires permissions only there. */
  namespaces: readonly string[];
}

/** Creates a transport that logs the marker of each missing permission, once. */
export function withMissingPermissionLog(transport: Transport, options: MissingPermissionsOptions): Transport {
  const reported = new Set<string>();

  function tell(missing: MissingPermission, error: unknown): void {
    const { namespace, ...everywhere } = missing;
    // A Role of one namespace would be sufficient for this request. If the operator watches all namespaces, its next request
    // could fail, so the marker omits the namespace.
    const isOwn = namespace !== undefined && options.namespaces.includes(namespace);
    const marker = rbacMarker(isOwn ? missing : everywhere);
    if (reported.has(marker)) return;
    reported.add(marker);
    options.logger.error(error, "Missing permission: add the marker and run make manifests", { marker, ...missing });
  }

  async function explain(request: TransportRequest, error: unknown): Promise<void> {
    const missing = missingPermission(error);
    if (missing) return tell(missing, error);
    if (!isForbidden(error) || !findApiError(error)?.message.includes("cannot set blockOwnerDeletion")) return;
    // The server's message doesn't identify the owner.
    const { metadata } = request.body as KubernetesObject;
    for (const { apiVersion, kind, blockOwnerDeletion } of metadata?.ownerReferences ?? []) {
      const [group, version] = splitApiVersion(apiVersion);
      if (!blockOwnerDeletion) continue;
      const { plural, namespaced } = await options.mapper().mapping(group, version, kind);
      const namespace = namespaced ? metadata?.namespace : undefined;
      tell({ verb: "update", group, resource: `${plural}/finalizers`, ...(namespace ? { namespace } : {}) }, error);
    }
  }

  /** Passes errors on unchanged if they can't be explained. */
  async function explained<T>(request: TransportRequest, answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      await explain(request, error).catch((reason) => {
        options.logger.debug("A rejected request could not be explained", { reason: String(reason) });
      });
      throw error;
    }
  }

  return {
    request: (request) => explained(request, transport.request(request)),
    stream: (request) => explained(request, transport.stream(request)),
    close: () => transport.close(),
  };
}
