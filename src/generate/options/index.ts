export type {
  CrdOptions,
  GeneratorConfig,
  GeneratorName,
  GeneratorOptions,
  HeaderOptions,
  OptionProblem,
  OutputRule,
  RbacOptions,
  SchemaPatchOptions,
  WebhookOptions,
} from "./config.ts";
export { type ParsedOptions, parseOptions } from "./parse-options.ts";
