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
  message,
  namedIn,
  nested,
  orBool,
  orReference,
  text,
  type Write,
} from "./protobuf-fields.ts";

const schema: Write = message(() => schemaFields, 36);
const schemaOrReference = orReference(schema);

/** Only simple values have a field. */
const defaultValue: Write = (writer, number, value) =>
  nested(writer, number, () => {
    if (typeof value === "string") given.text(writer, 3, value);
    else if (typeof value === "boolean") given.bool(writer, 2, value);
    else if (typeof value === "number" || typeof value === "bigint") given.double(writer, 1, value);
  });

const schemaFields: Fields = {
  nullable: [1, bool],
  readOnly: [3, bool],
  writeOnly: [4, bool],
  example: [7, any],
  deprecated: [8, bool],
  title: [9, text],
  multipleOf: [10, double],
  maximum: [11, double],
  exclusiveMaximum: [12, bool],
  minimum: [13, double],
  exclusiveMinimum: [14, bool],
  maxLength: [15, integer],
  minLength: [16, integer],
  pattern: [17, text],
  maxItems: [18, integer],
  minItems: [19, integer],
  uniqueItems: [20, bool],
  maxProperties: [21, integer],
  minProperties: [22, integer],
  required: [23, each(given.text)],
  enum: [24, each(any)],
  type: [25, text],
  allOf: [26, each(schemaOrReference)],
  oneOf: [27, each(schemaOrReference)],
  anyOf: [28, each(schemaOrReference)],
  not: [29, schema],
  items: [30, (writer, number, value) => nested(writer, number, () => schemaOrReference(writer, 1, value))],
  properties: [31, namedIn(schemaOrReference)],
  additionalProperties: [32, orBool(schemaOrReference)],
  default: [33, defaultValue],
  description: [34, text],
  format: [35, text],
};

const content = namedIn(message(() => ({ schema: [1, schemaOrReference], example: [2, any] }), 5));

const parameter = orReference(
  message(
    () => ({
      name: [1, text],
      in: [2, text],
      description: [3, text],
      required: [4, bool],
      deprecated: [5, bool],
      schema: [10, schemaOrReference],
      content: [13, content],
    }),
    14,
  ),
);

const requestBody = orReference(
  message(() => ({ description: [1, text], content: [2, content], required: [3, bool] }), 4),
);
const response = orReference(message(() => ({ description: [1, text], content: [3, content] }), 5));

const operation = message(
  () => ({
    tags: [1, each(given.text)],
    summary: [2, text],
    description: [3, text],
    operationId: [5, text],
    parameters: [6, each(parameter)],
    requestBody: [7, requestBody],
    responses: [8, namedIn(response, 2)],
    deprecated: [10, bool],
  }),
  13,
);

const pathItem = message(
  () => ({
    $ref: [1, text],
    summary: [2, text],
    description: [3, text],
    get: [4, operation],
    put: [5, operation],
    post: [6, operation],
    delete: [7, operation],
    options: [8, operation],
    head: [9, operation],
    patch: [10, operation],
    parameters: [13, each(parameter)],
  }),
  14,
);

const securityScheme = orReference(
  message(() => ({ type: [1, text], description: [2, text], name: [3, text], in: [4, text], scheme: [5, text] }), 9),
);

const documentFields: Fields = {
  openapi: [1, text],
  info: [2, message(() => ({ title: [1, text], description: [2, text], version: [6, text] }), 7)],
  paths: [4, namedIn(pathItem)],
  components: [
    5,
    message(() => ({ schemas: [1, namedIn(schemaOrReference)], securitySchemes: [7, namedIn(securityScheme)] }), 10),
  ],
};

/**
 * Encodes an OpenAPI v3 document as the protobuf message that clients can ask for.
 *
 * @param document - the document
 * @returns the message `openapi.v3.Document` of gnostic
 */
export function encodeOpenApi3(document: JsonObject): Uint8Array {
  return encodeDocument(documentFields, 9, document);
}
