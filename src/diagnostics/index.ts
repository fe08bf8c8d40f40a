export { createCollector, type DiagnosticCollector, type DiagnosticPolicy, type Level } from "./collector.ts";
export type { DiagnosticId } from "./definitions/index.ts";
export type { Diagnostic, Severity } from "./diagnostic.ts";
export { didYouMean, editDistance } from "./did-you-mean.ts";
export { toJsonDiagnostics } from "./render-json.ts";
export { displayPath, renderText } from "./render-text.ts";
