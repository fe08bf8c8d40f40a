import { isObject, type Json, type JsonObject } from "../json/json.ts";
import { hasRules } from "../rules/validator.ts";
import { pruneDefaults } from "../schema/default-checks.ts";
import type { CustomResourceVersion, ScalePaths } from "./custom-resource.ts";
import { ruleValidator } from "./expression-rules.ts";
import { schemaOf, textOf } from "./internal-form.ts";

/**
 * Reads the rules of a version of a CustomResourceDefinition.
 *
 * @param group - the group of the resource
 * @param kind - its kind
 * @param spec - the spec of the definition, of apiextensions.k8s.io/v1
 * @param version - one of its versions
 * @returns the rules for objects of the version
 */
export function customVersion(
  group: string,
  kind: string,
  spec: JsonObject,
  version: JsonObject,
): CustomResourceVersion {
  const preserveUnknownFields = spec.preserveUnknownFields === true;
  const given = schemaOf(version.schema) ?? {};
  const schema = preserveUnknownFields ? given : pruneDefaults(given);
  const subresources: Json | undefined = version.subresources;
  const scale = isObject(subresources) ? (subresources.scale as unknown as ScalePaths | undefined) : undefined;
  return {
    group,
    version: textOf(version.name),
    kind,
    namespaced: spec.scope === "Namespaced",
    schema,
    ...(hasRules(schema) ? { rules: ruleValidator(schema) } : {}),
    preserveUnknownFields,
    ...(scale === undefined ? {} : { scale }),
  };
}
