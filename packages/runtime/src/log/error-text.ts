export { errorText } from "./redact.ts";
