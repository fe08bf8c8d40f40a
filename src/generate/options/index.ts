export type {
  ApiDocsFormat,
  ApiDocsOptions,
  CrdOptions,
  GeneratorConfig,
  GeneratorName,
  GeneratorOptions,
  HeaderOptions,
  JsonSchemaOptions,
  MonitoringOptions,
  OptionProblem,
  OutputRule,
  RbacOptions,
  SchemaPatchOptions,
  WebhookOptions,
} from "./config.ts";
export { requestedGenerators } from "./find-option.ts";
export { type ParsedOptions, parseOptions } from "./parse-options.ts";
