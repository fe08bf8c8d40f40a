export { DurationError, parseDuration, tryParseDuration } from "./duration.ts";
