import { shown } from "../project/names.ts";
import { usageError } from "./errors.ts";
import { textFlag } from "./flags.ts";

/** Keys of the layout that projects have, the whole one first. */
export const layouts: readonly [string, ...string[]] = ["ts.kubewright.io/v1", "ts/v1"];

/** `--plugins`, a list with commas: kubebuilder's plugins of other names are not there. */
export function refuseUnknownLayouts(options: Readonly<Record<string, unknown>>): void {
  for (const key of textFlag(options, "plugins")?.split(",") ?? []) {
    if (!layouts.includes(key)) {
      throw usageError(`--plugins ${shown(key)} is not known: ${layouts[0]} is what there is`);
    }
  }
}
