// The state of objects, for programs that don't load the rest of the runtime.
export { computeStatus, decidedStatus } from "./compute-status.ts";
export type { KStatus, StatusResult } from "./result.ts";
