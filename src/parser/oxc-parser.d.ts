declare module "oxc-parser/src-js/wrap.js" {
  /** What the binary gave, with its parts made when asked for. */
  export function wrap(result: unknown): import("oxc-parser").ParseResult;
}
