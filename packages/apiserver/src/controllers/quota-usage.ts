import { equalJson, type JsonObject } from "@kubewright/cel/json";
import type { Amounts } from "../builtin/defaults/pod-resources.ts";
import { SystemClient, serverIdentity } from "../client/system-client.ts";
import type { ApiObject, ResourceType } from "../model/resource.ts";
import type { Engine } from "../registry/scope.ts";

/**
 * Writes what is used of a quota into its status.
 *
 * @param engine - the server
 * @param namespace - the namespace of the quota
 * @param name - its name
 * @param before - what was used
 * @param used - what is used now
 * @returns false if the quota has another usage than `before`; it stays as it is then
 */
export async function writeQuotaUsage(
  engine: Engine,
  namespace: string,
  name: string,
  before: Amounts,
  used: Amounts,
): Promise<boolean> {
  const type = engine.resource("", "resourcequotas") as ResourceType;
  let isCurrent = true;
  const change = (quota: ApiObject): void => {
    const status = (quota.status ?? {}) as JsonObject;
    isCurrent = equalJson(status.used ?? {}, before);
    if (isCurrent) quota.status = { ...status, used };
  };
  await new SystemClient(engine, serverIdentity).update({ type, namespace, name }, change, "status");
  return isCurrent;
}
