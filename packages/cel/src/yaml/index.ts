export { readYamlDocuments } from "./documents.ts";
export { printYaml } from "./print.ts";
export { readYamlDocument, YamlReadError } from "./read.ts";
export { isPlainOfOtherType } from "./scalars.ts";
export type { YamlValue } from "./values.ts";
