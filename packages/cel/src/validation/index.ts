export { splitApiVersion } from "./api-version.ts";
export { decodeMetadata } from "./decode-metadata.ts";
export { errorBody, type FieldError, fieldErrorMessage } from "./field-error.ts";
export { firstOfRange, formatIP, isIPv6, isMapped, isValidIP, parseCIDR, parseIP } from "./ip.ts";
export { malformedMetadata } from "./malformed-metadata.ts";
export { normalizeMicroTime, normalizeTime, parseTime } from "./metadata-time.ts";
export {
  isConfigMapKey,
  isDNS1035Label,
  isDNS1123Label,
  isDNS1123Subdomain,
  isInRange,
  isPathSegment,
  isQualifiedName,
  isValidLabelValue,
  isValidPortName,
  isValidPortNumber,
  isWildcardDNS1123Subdomain,
  maxLengthError,
  type NameValidator,
  nameIsDNSLabel,
  nameIsDNSSubdomain,
  nameIsLongName,
  regexError,
} from "./name-rules.ts";
export {
  at,
  child,
  duplicateValue,
  forbiddenValue,
  invalidValue,
  notSupported,
  required,
  tooLong,
  tooMany,
} from "./paths.ts";
export { isPrintable } from "./printable.ts";
export {
  finalizerWarnings,
  validateAnnotations,
  validateFieldManager,
  validateFinalizerDomains,
  validateImmutable,
  validateLabels,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "./validate-metadata.ts";
