import { inSlices } from "@kubewright/cel/schema";
import type { FieldError } from "@kubewright/cel/validation";
import type { Scope } from "./scope.ts";

/**
 * Checks an object by the rules of its kind. Schemas and objects of users can be of any size, so other requests don't wait for
 * checks of definitions and custom resources.
 *
 * @param scope - the request
 * @param check - checks the object, and has no effects
 * @returns the errors. They are there at once if nothing else needs to run meanwhile, so that simulations don't depend on time
 */
export function kindErrors(
  { engine, type }: Scope,
  check: () => FieldError[] | undefined,
): FieldError[] | Promise<FieldError[]> {
  const { nextTurn } = engine;
  const errors = (): FieldError[] => declaredLast(check() ?? []);
  const hasOwnSchema = type.custom || type.resource === "customresourcedefinitions";
  return nextTurn === undefined || !hasOwnSchema ? errors() : inSlices(errors, nextTurn);
}

function declaredLast(errors: FieldError[]): FieldError[] {
  if (!errors.some(({ declared }) => declared)) return errors;
  return [...errors.filter(({ declared }) => !declared), ...errors.filter(({ declared }) => declared)];
}
