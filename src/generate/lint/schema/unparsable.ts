import { tryParseDuration } from "@kubewright/cel/duration";
import { quantityPattern } from "../../../kubernetes/quantity.ts";
import type { JSONSchema, JSONValue } from "../../schema/model/json-schema.ts";
import type { SchemaLint } from "../model/finding.ts";
import type { Site } from "../model/site.ts";
import { shown } from "../model/validate.ts";

const quantity = new RegExp(quantityPattern);

/**
 * Creates the lint for defaults and enum values of type duration or quantity. The API server accepts any string for a
 * duration, and any enum value, but the operator couldn't read it.
 *
 * @param isDuration whether the type of a schema is `Duration`; called at most once per schema, and only if a value isn't a
 * duration
 */
export function unparsable(isDuration: (site: Site) => boolean): SchemaLint {
  const durations = new WeakMap<JSONSchema, boolean>();
  return (site, report) => {
    const { schema } = site;
    for (const value of schema.enum ?? []) {
      const what = wrong(site, value);
      if (!what) continue;
      const message = `the enum value ${shown(value)} is not a ${what.type}`;
      report({ id: "unparsable-value", message, hint: what.hint, keywords: ["enum"] });
    }
    if (schema.default !== undefined) inDefault(site, schema.default, "");

    function inDefault(at: Site, value: JSONValue, path: string): void {
      const what = wrong(at, value);
      // The pattern of a quantity also checks defaults.
      if (what?.type === "duration") {
        const message = `the default ${path === "" ? "" : `at ${path}, `}${shown(value)} is not a duration`;
        report({ id: "unparsable-value", message, hint: what.hint, keywords: ["default"] });
      }
      if (typeof value !== "object" || value === null) return;
      for (const [name, part] of Object.entries(value)) {
        const child = childOf(at, Array.isArray(value) ? undefined : name);
        if (child) inDefault(child, part, `${path}${Array.isArray(value) ? `[${name}]` : `.${name}`}`);
      }
    }
  };

  function wrong(site: Site, value: JSONValue): { type: string; hint: string } | undefined {
    const { schema } = site;
    if (typeof value !== "string") return undefined;
    if (schema.pattern === quantityPattern && schema["x-kubernetes-int-or-string"]) {
      return quantity.test(value) ? undefined : { type: "quantity", hint: "write one such as `500m`, `1.5` or `2Gi`" };
    }
    if (schema.type !== "string" || schema.format !== undefined || tryParseDuration(value) !== undefined)
      return undefined;
    const isDurationSite = durations.get(schema) ?? isDuration(site);
    durations.set(schema, isDurationSite);
    if (!isDurationSite) return undefined;
    return { type: "duration", hint: "write one such as `30s`, `5m` or `1h30m`" };
  }
}

/** Returns the site of an element, a property or a map value. */
function childOf(site: Site, name: string | undefined): Site | undefined {
  const { items, properties, additionalProperties }: JSONSchema = site.schema;
  const { kind } = site;
  if (name === undefined) return items && { schema: items, kind, parent: site, step: "items" };
  if (properties && Object.hasOwn(properties, name)) {
    return { schema: properties[name]!, kind, parent: site, step: { property: name } };
  }
  if (typeof additionalProperties !== "object") return undefined;
  return { schema: additionalProperties, kind, parent: site, step: "values" };
}
