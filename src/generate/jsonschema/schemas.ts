import type { CrdVersion, CustomResourceDefinition } from "../../kubernetes/custom-resource-definition.ts";
import { typesComment } from "../output/generated-files.ts";
import type { Draft07 } from "./draft-07.ts";
import { embeddedResource, nameRules, objectMeta } from "./metadata.ts";
import { metadataRules, refersTo, sharedDefinitions, type TranslationOptions, translate } from "./translate.ts";

const draft = "http://json-schema.org/draft-07/schema#";
const noFields: Draft07 = {
  additionalProperties: false,
  items: { $ref: `#/definitions/${sharedDefinitions.noFields}` },
};

/** The schema of a version of a kind, and the schemas that it shares with others. */
export interface KindSchema {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly schema: Draft07;
  readonly definitions: Readonly<Record<string, Draft07>>;
}

/** Creates the schema of a version of a kind. */
export function kindSchema(
  { spec }: CustomResourceDefinition,
  { name: version, schema, subresources, deprecated }: CrdVersion,
  options: TranslationOptions,
): KindSchema {
  const { group, names, scope, preserveUnknownFields } = spec;
  const apiVersion = group === "" ? version : `${group}/${version}`;
  const strict = options.strict && preserveUnknownFields !== true;
  const { properties = {}, ...rest } = schema.openAPIV3Schema;
  const translated = translate({ ...rest, properties }, { ...options, strict });
  const described = (name: string): Draft07 => {
    const { description } = translated.properties?.[name] ?? {};
    return description === undefined ? {} : { description };
  };
  const { properties: declaredNames } = metadataRules(properties.metadata ?? {}, options);
  const scale = scaleRules(subresources?.scale);
  const { description, type, properties: fields = {}, required = [], ...others } = translated;
  const result: Draft07 = {
    ...(description === undefined ? {} : { description }),
    ...(deprecated === true ? { deprecated: true } : {}),
    ...(type === undefined ? {} : { type }),
    properties: {
      ...fields,
      apiVersion: { ...described("apiVersion"), type: "string", const: apiVersion },
      kind: { ...described("kind"), type: "string", const: names.kind },
      metadata: {
        ...described("metadata"),
        allOf: [
          { $ref: "#/definitions/ObjectMeta" },
          nameRules(scope === "Namespaced"),
          ...(declaredNames === undefined ? [] : [{ properties: declaredNames }]),
        ],
      },
    },
    required: ["apiVersion", "kind", "metadata", ...required.filter((name) => !typeFields.has(name))],
    ...others,
    ...(scale.length > 0 ? { allOf: [...(others.allOf ?? []), ...scale] } : {}),
    "x-kubernetes-group-version-kind": [{ group, version, kind: names.kind }],
  };
  const { embeddedResource: embedded, noFields: empty } = sharedDefinitions;
  return {
    group,
    version,
    kind: names.kind,
    schema: result,
    definitions: {
      ObjectMeta: objectMeta(strict),
      ...(refersTo(result, embedded) ? { [embedded]: embeddedResource() } : {}),
      ...(refersTo(result, empty) ? { [empty]: noFields } : {}),
    },
  };
}

/** Returns the rules for the fields of the scale subresource. */
function scaleRules(scale: Scale | undefined): Draft07[] {
  if (scale === undefined) return [];
  const replicas = { type: "integer", minimum: 0, maximum: 2 ** 31 - 1 };
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  return [
    at(specReplicasPath, replicas),
    at(statusReplicasPath, replicas),
    ...(labelSelectorPath === undefined ? [] : [at(labelSelectorPath, { type: "string" })]),
  ];
}

type Scale = NonNullable<NonNullable<CrdVersion["subresources"]>["scale"]>;

/** Returns a schema for the field at a path such as `.spec.replicas`. */
function at(path: string, schema: Draft07): Draft07 {
  const names = path.split(".").filter((name) => name !== "");
  return names.reduceRight<Draft07>((inner, name) => ({ properties: { [name]: inner } }), schema);
}

const typeFields: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

/** Returns the document of one kind. */
export function kindDocument({ schema, definitions }: KindSchema): Draft07 {
  return { $schema: draft, $comment: typesComment, ...schema, definitions };
}

/** Returns the document that selects the schema of an object by its `apiVersion` and `kind`. */
export function allKinds(kinds: readonly KindSchema[]): Draft07 {
  const named = kinds.map((each) => ({
    ...each,
    name: [each.group, each.version, each.kind].filter(Boolean).join("."),
  }));
  const definitions = Object.fromEntries([
    ...named.map(({ name, schema }) => [name, schema]),
    ...kinds.flatMap((each) => Object.entries(each.definitions)),
  ]);
  const typeOf = ({ schema }: KindSchema) => {
    const { apiVersion, kind } = schema.properties ?? {};
    return { apiVersion: apiVersion?.const as string, kind: kind?.const as string };
  };
  const distinct = (values: readonly string[]) => [...new Set(values)];
  return {
    $schema: draft,
    $comment: typesComment,
    type: "object",
    properties: {
      apiVersion: { type: "string", enum: distinct(kinds.map((each) => typeOf(each).apiVersion)) },
      kind: { type: "string", enum: distinct(kinds.map((each) => typeOf(each).kind)) },
    },
    required: ["apiVersion", "kind"],
    // Objects of one group can have a kind and a version that don't belong together.
    anyOf: named.map((each) => ({ properties: selector(typeOf(each)) })),
    allOf: named.map((each) => ({
      if: { properties: selector(typeOf(each)), required: ["apiVersion", "kind"] },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      then: { $ref: `#/definitions/${each.name}` },
    })),
    definitions,
  };
}

function selector({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }) {
  return { apiVersion: { const: apiVersion }, kind: { const: kind } };
}
