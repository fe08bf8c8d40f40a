import type { OtherType, Position } from "./model.ts";

/**
 * The type of a method that an interface or an inline object declares: to TypeScript it is a property that holds a function.
 * What the function takes and gives nobody asks here. Methods of classes are none: they don't belong to the data.
 */
export function methodType(at: Position): OtherType {
  return Object.freeze({ kind: "other", syntax: "function", text: "(...args: any[]) => any", at });
}

/** The type of what an interface declares with `get` or `set`. */
export function accessorType(at: Position): OtherType {
  return Object.freeze({ kind: "other", syntax: "accessor", text: "any", at });
}
