import type { CrdVersion, CustomResourceDefinition } from "../../../kubernetes/custom-resource-definition.ts";
import type { GeneratedCrd } from "../../crd/crds.ts";
import type { TypeNode } from "../../packages/nodes.ts";
import type { JSONSchema } from "../../schema/model/json-schema.ts";

/** One step down in a schema: to a property, to the elements of a list, to the values of a map. */
export type Step = { readonly property: string } | "items" | "values";

/** One version of a CRD, with the type that it was generated from. */
export interface KindVersion {
  readonly crd: CustomResourceDefinition;
  readonly version: CrdVersion;
  readonly type: TypeNode;
}

/** A schema with its position in the version's schema. The links go upwards, so that a path is only built for findings. */
export interface Site {
  readonly schema: JSONSchema;
  readonly kind: KindVersion;
  readonly parent?: Site;
  readonly step?: Step;
}

/** Returns the sites of a schema's properties, elements and map values. */
export function childSites(site: Site): Site[] {
  const { schema, kind } = site;
  const { properties = {}, items, additionalProperties } = schema;
  const child = (inner: JSONSchema, step: Step): Site => ({ schema: inner, kind, parent: site, step });
  return [
    ...Object.entries(properties).map(([property, inner]) => child(inner, { property })),
    ...(items ? [child(items, "items")] : []),
    ...(typeof additionalProperties === "object" ? [child(additionalProperties, "values")] : []),
  ];
}

/** Returns the site at a path of properties that exists. */
export function siteAt(kind: KindVersion, path: readonly Step[]): Site {
  const root: Site = { schema: kind.version.schema.openAPIV3Schema, kind };
  return path.reduce((parent: Site, step) => {
    const property = typeof step === "object" ? parent.schema.properties?.[step.property] : undefined;
    return { schema: property ?? {}, kind, parent, step };
  }, root);
}

/** Returns the steps from the version's root schema to a site. */
export function pathOf(site: Site): Step[] {
  const steps: Step[] = [];
  for (let at: Site | undefined = site; at?.step !== undefined; at = at.parent) steps.unshift(at.step);
  return steps;
}

/** Formats a path: `.spec.items[].name`; values of a map are `.*`. */
export function pathText(steps: readonly Step[]): string {
  const text = steps.map((step) => (step === "items" ? "[]" : step === "values" ? ".*" : `.${step.property}`)).join("");
  return text === "" ? "." : text;
}

/** Returns the versions of a CRD that have a type; all of them, unless a version was skipped. */
export function kindVersions({ document, types }: GeneratedCrd): KindVersion[] {
  return document.spec.versions.flatMap((version) => {
    const type = types.find((typeNode) => typeNode.package.version === version.name);
    return type ? [{ crd: document, version, type }] : [];
  });
}
