export {
  type CustomResourceVersion,
  coerceCustomResource,
  customResourceWarnings,
  hasSchema,
  validateCustomResource,
  validateCustomResourceStatus,
  validateCustomResourceUpdate,
} from "./custom-resource.ts";
export { customVersion } from "./custom-version.ts";
export {
  type DefinitionVersion,
  type InternalSpec,
  internalSpec,
  schemaOf,
  shownVersions,
  textOf,
} from "./internal-form.ts";
export {
  hasDefaults,
  hasExtensions,
  rulesForUpdate,
  type ValidationRules,
  validateValidation,
} from "./validate-validation.ts";
