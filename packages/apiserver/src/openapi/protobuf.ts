import type { JsonObject } from "@kubewright/cel/json";
import {
  any,
  bool,
  double,
  each,
  encodeDocument,
  type Fields,
  given,
  integer,
  listOf,
  message,
  namedIn,
  nested,
  orBool,
  orReference,
  text,
  type Write,
} from "./protobuf-fields.ts";

const schema: Write = message(() => schemaFields, 31);
const schemaFields: Fields = {
  $ref: [1, text],
  format: [2, text],
  title: [3, text],
  description: [4, text],
  default: [5, any],
  multipleOf: [6, double],
  maximum: [7, double],
  exclusiveMaximum: [8, bool],
  minimum: [9, double],
  exclusiveMinimum: [10, bool],
  maxLength: [11, integer],
  minLength: [12, integer],
  pattern: [13, text],
  maxItems: [14, integer],
  minItems: [15, integer],
  uniqueItems: [16, bool],
  maxProperties: [17, integer],
  minProperties: [18, integer],
  required: [19, each(given.text)],
  enum: [20, each(any)],
  additionalProperties: [21, orBool(schema)],
  type: [22, listOf(text)],
  items: [23, listOf(schema)],
  allOf: [24, each(schema)],
  properties: [25, namedIn(schema)],
  example: [30, any],
};

const bodyParameter = message(
  () => ({ description: [1, text], name: [2, text], in: [3, text], required: [4, bool], schema: [5, schema] }),
  6,
);
const queryParameter = message(
  () => ({
    required: [1, bool],
    in: [2, text],
    description: [3, text],
    name: [4, text],
    type: [6, text],
    format: [7, text],
    uniqueItems: [20, bool],
  }),
  23,
);
const pathParameter = message(
  () => ({
    required: [1, bool],
    in: [2, text],
    description: [3, text],
    name: [4, text],
    type: [5, text],
    format: [6, text],
    uniqueItems: [19, bool],
  }),
  22,
);

const parameter: Write = (writer, number, value) =>
  nested(writer, number, () => {
    const where = (value as JsonObject).in;
    if (where === "body") bodyParameter(writer, 1, value);
    else
      nested(writer, 2, () => (where === "path" ? pathParameter(writer, 4, value) : queryParameter(writer, 3, value)));
  });

const schemaItem: Write = (writer, number, value) => nested(writer, number, () => schema(writer, 1, value));
const response = orReference(message(() => ({ description: [1, text], schema: [2, schemaItem] }), 5));

const operation = message(
  () => ({
    tags: [1, each(given.text)],
    summary: [2, text],
    description: [3, text],
    operationId: [5, text],
    produces: [6, each(given.text)],
    consumes: [7, each(given.text)],
    parameters: [8, each(orReference(parameter))],
    responses: [9, namedIn(response)],
    schemes: [10, each(given.text)],
    deprecated: [11, bool],
  }),
  13,
);

const pathItem = message(
  () => ({
    $ref: [1, text],
    get: [2, operation],
    put: [3, operation],
    post: [4, operation],
    delete: [5, operation],
    options: [6, operation],
    head: [7, operation],
    patch: [8, operation],
    parameters: [9, each(orReference(parameter))],
  }),
  10,
);

const apiKey = message(() => ({ type: [1, text], name: [2, text], in: [3, text], description: [4, text] }), 5);

const documentFields: Fields = {
  swagger: [1, text],
  info: [2, message(() => ({ title: [1, text], version: [2, text], description: [3, text] }), 7)],
  host: [3, text],
  basePath: [4, text],
  schemes: [5, each(given.text)],
  consumes: [6, each(given.text)],
  produces: [7, each(given.text)],
  paths: [8, namedIn(pathItem, 2)],
  definitions: [9, namedIn(schema)],
  parameters: [10, namedIn(parameter)],
  security: [12, each(namedIn(listOf(text)))],
  securityDefinitions: [13, namedIn((writer, number, value) => nested(writer, number, () => apiKey(writer, 2, value)))],
};

/**
 * Encodes an OpenAPI v2 document as the protobuf message that kubectl asks for.
 *
 * @param document - the document
 * @returns the message `openapi.v2.Document` of gnostic
 */
export function encodeOpenApi(document: JsonObject): Uint8Array {
  return encodeDocument(documentFields, 16, document);
}
