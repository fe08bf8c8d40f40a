import type { ManagedKind } from "../apply/field-manager.ts";
import { customResetFields } from "../apply/reset-fields.ts";
import { excludeFields, type FieldFilter } from "../apply/typed/field-set.ts";
import { customResourceType } from "../apply/typed/object-type.ts";
import { deducedType, typeOfSchema, type ValueType } from "../apply/typed/value-type.ts";
import type { ServedVersion } from "../model/resource.ts";
import type { Scope } from "./scope.ts";

/**
 * Describes the kind of a request for the field manager.
 *
 * @param scope - the request
 * @param tracksOwners - false for a server that doesn't record owners
 * @returns the kind
 */
export function managedKindOf(scope: Scope, tracksOwners: boolean): ManagedKind {
  const { type, info } = scope;
  const { group, version, kind, schema, codec } = scope.expected();
  // The objects of subresources, such as Scale, are built in.
  const custom = type.custom && kind === type.kind;
  const apiVersion = group === "" ? version : `${group}/${version}`;
  const reset = type.strategy.resetFields?.[info.subresource];
  const filter: FieldFilter | undefined = reset === undefined ? undefined : excludeFields(reset);
  const withStatus = [...type.versions.values()].filter(({ subresources }) => subresources.has("status"));
  const resetFields = type.custom
    ? customResetFields(
        apiVersion,
        info.subresource,
        new Set(withStatus.map((version) => versionText(type.group, version))),
      )
    : () => filter;
  return {
    apiVersion,
    kind,
    subresource: info.subresource,
    typeOf: (asked) => {
      if (asked === apiVersion) return valueType(custom, schema);
      const other = [...type.versions.values()].find((version) => versionText(type.group, version) === asked);
      if (other !== undefined) return valueType(type.custom, other.schema);
      const unserved = type.unserved?.get(asked.slice(type.group.length + 1));
      return unserved && valueType(true, unserved.schema);
    },
    resetFields,
    empty: () => {
      // The conversion of custom resources refuses their scale. It is needed if the replicas have no owner.
      if (type.custom && !custom && tracksOwners) throw new Error(unconvertible(apiVersion, kind));
      // Fields that every object of a built-in kind has, such as an empty status, aren't owned by those who create it.
      return (custom ? undefined : codec.stored?.({ metadata: {} })) ?? { apiVersion, kind };
    },
  };
}

function unconvertible(apiVersion: string, kind: string): string {
  const reason = `request to convert CR to an invalid group/version: ${apiVersion}`;
  return `failed to convert live object (/; ${apiVersion}, Kind=${kind}) to proper version: ${reason}`;
}

function valueType(custom: boolean, schema: ServedVersion["schema"]): ValueType {
  if (custom) return customResourceType(schema);
  return schema === undefined ? deducedType : typeOfSchema(schema);
}

function versionText(group: string, { version }: ServedVersion): string {
  return group === "" ? version : `${group}/${version}`;
}
