import type { Json } from "@kubewright/cel/json";
import { type FieldError, forbiddenValue, notSupported } from "@kubewright/cel/validation";
import { textsOf } from "../../fields/fields.ts";

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];
const single = "ReadWriteOncePod";

/** Checks the access modes of a volume or a claim: the mode for a single Pod excludes the others. */
export function accessModeErrors(value: Json | undefined, path: string): FieldError[] {
  const modes = textsOf(value);
  const supported = modes.filter((mode) => accessModes.includes(mode));
  const errors = modes
    .filter((mode) => !accessModes.includes(mode))
    .map((mode) => notSupported(path, mode, accessModes));
  if (supported.includes(single) && supported.some((mode) => mode !== single)) {
    errors.push(forbiddenValue(path, `may not use ${single} with other access modes`));
  }
  return errors;
}
