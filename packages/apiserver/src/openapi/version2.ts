import { encodeJson, isObject, type Json, type JsonObject } from "@kubewright/cel/json";

/** A document of OpenAPI v3, from which that of version 2 is made. */
export interface Version3Document {
  paths: JsonObject;
  /** The models of the document, in the form of version 2. */
  definitions: Record<string, JsonObject>;
}

const producedFirst = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"];
const consumedLast = "application/apply-patch+yaml";

/**
 * Joins documents to one of OpenAPI v2.
 *
 * @param documents - the documents
 * @param version - the version of the API
 * @returns the document
 */
export function version2Document(documents: Iterable<Version3Document>, version: string): JsonObject {
  const paths: Record<string, JsonObject> = {};
  const definitions: Record<string, JsonObject> = {};
  for (const document of documents) {
    for (const [path, item] of Object.entries(document.paths)) paths[path] = pathItem(item as JsonObject);
    Object.assign(definitions, document.definitions);
  }
  return {
    swagger: "2.0",
    info: { title: "Kubernetes", version },
    paths,
    definitions,
    parameters: shareParameters(paths),
    securityDefinitions: {
      BearerToken: { description: "Bearer Token authentication", type: "apiKey", name: "authorization", in: "header" },
    },
    security: [{ BearerToken: [] }],
  };
}

/**
 * Converts a model to version 2, which has no defaults beside references.
 *
 * @param model - the model in the form of version 3
 * @returns the model in the form of version 2
 */
export function version2Model(model: Json): Json {
  if (Array.isArray(model)) return model.map(version2Model);
  if (!isObject(model)) {
    return typeof model === "string" ? model.replace(/^#\/components\/schemas\//, "#/definitions/") : model;
  }
  const { default: _default, allOf, oneOf, properties, ...rest } = model;
  const convert = (of: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(of).map(([key, value]) => [key, version2Model(value as Json)]));
  const converted = { ...convert(rest), ...(isObject(properties) ? { properties: convert(properties) } : {}) };
  const reference = Array.isArray(allOf) && allOf.length === 1 ? (allOf[0] as JsonObject).$ref : undefined;
  // Values that are numbers or texts are texts with a format in version 2.
  if (oneOf !== undefined) return { ...converted, type: "string" };
  return reference === undefined ? converted : { ...converted, $ref: version2Model(reference as Json) };
}

function pathItem({ parameters, ...operations }: JsonObject): JsonObject {
  const item: JsonObject = {};
  for (const [method, operation] of Object.entries(operations)) item[method] = operationOf(operation as JsonObject);
  if (parameters !== undefined) item.parameters = (parameters as JsonObject[]).map(parameterOf);
  return item;
}

function operationOf(operation: JsonObject): JsonObject {
  const { requestBody, responses, parameters = [], ...rest } = operation;
  const body = requestBody as { content: Record<string, { schema: JsonObject }>; required?: boolean } | undefined;
  const produced = new Set<string>();
  const answers = Object.entries(responses as JsonObject).map(([code, value]): [string, JsonObject] => {
    const { description, content } = value as { description: string; content?: Record<string, { schema: JsonObject }> };
    for (const type of Object.keys(content ?? {})) produced.add(type);
    const schema = content && Object.values(content)[0]?.schema;
    return [code, { description, ...(schema ? { schema: version2Model(schema) } : {}) }];
  });
  const all = [
    ...(parameters as JsonObject[]).map(parameterOf),
    ...(body === undefined
      ? []
      : [
          {
            name: "body",
            in: "body",
            ...(body.required ? { required: true } : {}),
            schema: version2Model(Object.values(body.content)[0]?.schema ?? {}),
          },
        ]),
  ].sort((one, other) => (String(one.name) < String(other.name) ? -1 : 1));
  return {
    ...rest,
    ...consumedBy(operation, body === undefined ? undefined : Object.keys(body.content), produced),
    produces: [
      ...(produced.has("text/plain") ? ["text/plain"] : []),
      ...producedFirst.filter((type) => produced.has(type)),
      ...[...produced].filter((type) => !producedFirst.includes(type) && type !== "text/plain"),
    ],
    schemes: ["https"],
    ...(all.length === 0 ? {} : { parameters: all }),
    responses: Object.fromEntries(answers),
  };
}

function consumedBy(
  { "x-kubernetes-action": action, tags }: JsonObject,
  types: readonly string[] | undefined,
  produced: ReadonlySet<string>,
): JsonObject {
  if (types !== undefined) {
    return {
      consumes: [...types.filter((type) => type !== consumedLast), ...types.filter((type) => type === consumedLast)],
    };
  }
  // Custom resources have no protobuf.
  const isBuiltIn = produced.has("*/*") || produced.has("application/vnd.kubernetes.protobuf");
  if (action !== undefined && isBuiltIn) return { consumes: ["*/*"] };
  const common = producedFirst.filter((type) => produced.has(type));
  const isVersion = (tags as string[])[0] === "version";
  return common.length > 1 || isVersion ? { consumes: common } : {};
}

function parameterOf({ name, in: place, description, required, schema }: JsonObject): JsonObject {
  const { type, uniqueItems } = schema as JsonObject;
  return {
    ...(uniqueItems === undefined ? {} : { uniqueItems }),
    ...(type === undefined ? {} : { type }),
    ...(description === undefined ? {} : { description }),
    ...(name === undefined ? {} : { name }),
    ...(place === undefined ? {} : { in: place }),
    ...(required === undefined ? {} : { required }),
  };
}

/** Replaces parameters by references to a table. Returns the table. */
function shareParameters(paths: Record<string, JsonObject>): JsonObject {
  const names = new Map<string, string>();
  const shared: Record<string, JsonObject> = {};
  const replace = (list: Json | undefined): void => {
    if (!Array.isArray(list)) return;
    for (const [index, parameter] of list.entries()) {
      if (!isShared(parameter as JsonObject)) continue;
      const text = encodeJson(parameter as Json);
      let name = names.get(text);
      if (name === undefined) {
        name = `${String((parameter as JsonObject).name)}-${shortHash(text)}`;
        names.set(text, name);
        shared[name] = parameter as JsonObject;
      }
      list[index] = { $ref: `#/parameters/${name}` };
    }
  };
  for (const { parameters, ...operations } of Object.values(paths)) {
    for (const operation of Object.values(operations)) replace((operation as JsonObject).parameters as Json);
    replace(parameters as Json);
  }
  return Object.fromEntries(Object.entries(shared).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Clients look for some parameters at the operations, and others describe one kind only. */
function isShared({ name, in: place, schema }: JsonObject): boolean {
  if (name === "name" || (place === "query" && (name === "fieldValidation" || name === "dryRun"))) return false;
  const reference = String((schema as JsonObject | undefined)?.$ref ?? "");
  return place !== "body" || reference.startsWith("#/definitions/io.k8s.apimachinery");
}

/** The first six bytes of FNV-1 with 64 bits, in base64. */
function shortHash(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, hash * 0x100000001b3n) ^ BigInt(byte);
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(hash);
  return bytes.subarray(0, 6).toString("base64url");
}
