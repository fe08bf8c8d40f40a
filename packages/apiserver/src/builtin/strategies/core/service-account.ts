import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { objectsOf } from "../fields/fields.ts";

const mountable = "kubernetes.io/enforce-mountable-secrets";

/** The rules of ServiceAccounts, whose references to Secrets are names in their namespace. */
export const serviceAccount: Strategy = {
  prepareForCreate: keepNames,
  prepareForUpdate: keepNames,
  warningsOnCreate: (account) => warnings(account),
  warningsOnUpdate: warnings,
};

function keepNames(account: ApiObject): void {
  if (account.secrets == null) return;
  account.secrets = objectsOf(account.secrets).map(({ name }) => (name ? { name } : {}));
}

function warnings(account: ApiObject, old?: ApiObject): string[] {
  const isSet = (object: ApiObject | undefined): boolean => object?.metadata.annotations?.[mountable] !== undefined;
  if (!isSet(account) || isSet(old)) return [];
  const advice = "prefer separate namespaces to isolate access to mounted secrets";
  return [`metadata.annotations[${mountable}]: deprecated in v1.32+; ${advice}`];
}
