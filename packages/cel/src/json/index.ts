export { byteLength } from "./bytes.ts";
export {
  type DecodedJson,
  decodeJoined,
  decodeJson,
  decodeWithTexts,
  JsonSyntaxError,
  jsonKind,
  jsonProblem,
  keyPositions,
  parseJson,
} from "./decode.ts";
export { compareText, goFixed, goFormat, goJson, goQuote, goSyntax, goType } from "./go-text.ts";
export { isObject, type Json, type JsonObject } from "./json.ts";
export { copyText, copyTexts, writtenText } from "./notation.ts";
export { copyKey, getKey, keysOf, setKey } from "./object.ts";
export {
  cloneJson,
  compareBytes,
  encodeJson,
  encodePretty,
  encodeSorted,
  equalJson,
  escapeAsGo,
  goFloat,
  goNumber,
  orderedBy,
  sortKeys,
} from "./values.ts";
