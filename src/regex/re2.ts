/** The library for RE2, in a file of its own, so that code can load it on demand. */
export { RE2JS } from "re2js";
