import { applyPatch, type Operation } from "rfc6902";
import { type Fields, fieldsOf, textOf, type Value } from "../../../yaml/plain-values.ts";

/**
 * Applies an RFC 6902 patch.
 *
 * @throws Error with the operation that failed
 */
export function applyJsonPatch(object: Fields, patch: readonly Value[]): Fields {
  const changed = structuredClone(object);
  for (const step of patch) {
    const { op, path } = fieldsOf(step);
    const [error] = applyPatch(changed, [step as unknown as Operation]);
    if (error === null) continue;
    const reason =
      error?.name === "TestError" ? "the value is different" : "no matching path, value or operation found";
    throw new Error(`${textOf(op) || "operation without op"} ${textOf(path)}: ${reason}`);
  }
  return changed;
}
