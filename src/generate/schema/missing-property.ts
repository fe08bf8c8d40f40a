import { didYouMean } from "../../diagnostics/did-you-mean.ts";
import type { TypeExpr } from "../source/model.ts";

/** Returns the message and hint for a property that a type doesn't have. */
export function missingProperty(
  object: TypeExpr,
  name: string,
  names: readonly string[],
): { message: string; hint: string } {
  const near = didYouMean(name, names);
  const there =
    names.length === 0 ? "it has none" : `it has ${names.slice(0, 8).join(", ")}${names.length > 8 ? ", …" : ""}`;
  const hint = near === undefined ? there : `did you mean ${JSON.stringify(near)}?`;
  const type = object.kind === "ref" ? object.text : "the type";
  return { message: `${type} has no property ${JSON.stringify(name)}`, hint };
}
