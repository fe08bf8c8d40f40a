import type { OtherType, Position } from "./model.ts";

/**
 * Returns the type of a method in an interface or an inline object, which TypeScript treats as a property with a function.
 * Its parameters and result aren't needed. Methods of classes don't have this type, because they aren't data.
 */
export function methodType(at: Position): OtherType {
  return Object.freeze({ kind: "other", syntax: "function", text: "(...args: any[]) => any", at });
}

/** Returns the type of an accessor (`get` or `set`) in an interface. */
export function accessorType(at: Position): OtherType {
  return Object.freeze({ kind: "other", syntax: "accessor", text: "any", at });
}
