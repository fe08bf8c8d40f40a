import type { JsonObject } from "@kubewright/cel/json";
import {
  type FieldError,
  invalidValue,
  isDNS1035Label,
  isDNS1123Subdomain,
  required,
} from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { conditionErrors } from "../fields/conditions.ts";
import { fieldsOf, immutable, objectsOf, textOf } from "../fields/fields.ts";

/** The rules of StorageVersionMigrations: their specification can't change, and they end once. */
export const storageVersionMigration: Strategy = {
  validate: (object) => resourceErrors(object),
  validateUpdate: (object, old, { subresource }) =>
    subresource === "status" ? statusErrors(object, old) : [...resourceErrors(object), ...changeErrors(object, old)],
};

function resourceOf(object: ApiObject): { group: string; resource: string } {
  const { group, resource } = fieldsOf(fieldsOf(object.spec).resource);
  return { group: textOf(group), resource: textOf(resource) };
}

function resourceErrors(object: ApiObject): FieldError[] {
  const { group, resource } = resourceOf(object);
  const path = "spec.resource";
  const joined = (value: string, field: string, problems: readonly string[]): FieldError[] =>
    problems.length === 0 ? [] : [invalidValue(`${path}.${field}`, value, problems.join(","))];
  return [
    ...(resource === ""
      ? [required(`${path}.resource`, "resource is required to be set")]
      : joined(resource, "resource", isDNS1035Label(resource))),
    ...(group === "" ? [] : joined(group, "group", isDNS1123Subdomain(group))),
  ];
}

function changeErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const shown = (of: ApiObject): JsonObject => ({ Resource: resourceOf(of) });
  return immutable(shown(object), shown(old), "spec");
}

function statusErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const [status, before] = [fieldsOf(object.status), fieldsOf(old.status)];
  const conditions = objectsOf(status.conditions);
  const path = "status.conditions";
  const [version, oldVersion] = [textOf(status.resourceVersion), textOf(before.resourceVersion)];
  const invalid = (isWrong: boolean, detail: string): FieldError[] =>
    isWrong ? [invalidValue(path, [...conditions], detail)] : [];
  return [
    ...versionErrors(version),
    ...conditionErrors(conditions, path),
    ...(oldVersion !== "" && oldVersion !== version
      ? [invalidValue("status.resourceVersion", version, "field is immutable")]
      : []),
    ...invalid(
      isTrue(status, "Succeeded") && isTrue(status, "Failed"),
      "Both success and failed conditions cannot be true at the same time",
    ),
    ...["Succeeded", "Failed"].flatMap((type) =>
      invalid(
        isTrue(before, type) && !isTrue(status, type),
        `${type === "Failed" ? type : "Success"} condition cannot be set to false once it is true`,
      ),
    ),
  ];
}

function versionErrors(version: string): FieldError[] {
  if (version === "" || /^[1-9]\d*$/.test(version)) return [];
  return [invalidValue("status.resourceVersion", version, `resource version is not well formed: ${version}`)];
}

function isTrue({ conditions }: JsonObject, wanted: string): boolean {
  return objectsOf(conditions).some(({ type, status }) => type === wanted && status === "True");
}
