export { readBaseline } from "./baseline.ts";
export { BaselineError, type BaselineFile } from "./baseline-file.ts";
export type { BreakingChange, ChangeClass } from "./change.ts";
export { breakingDiagnostics } from "./diagnostics.ts";
export type { GitProgram } from "./git.ts";
