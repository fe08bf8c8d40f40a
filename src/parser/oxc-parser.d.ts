declare module "oxc-parser/src-js/wrap.js" {
  /** Wraps the binary's parse result. Its parts are deserialized on first access. */
  export function wrap(result: unknown): import("oxc-parser").ParseResult;
}
