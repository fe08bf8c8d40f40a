export type * from "./protocol.ts";
export {
  callResult,
  faultNames,
  isBadChild,
  keyHeader,
  replayPage,
  sessionCookie,
  stepsOf,
  withheldId,
} from "./protocol.ts";
export { RequestError } from "./request-error.ts";
