import { unknownValue } from "../../project/unknown-value.ts";
import { usageError } from "../framework/errors.ts";
import { textFlag } from "../framework/flags.ts";

/** Plugin keys of the project layout; the first one is the full key. */
export const layouts: readonly [string, ...string[]] = ["ts.kubewright.io/v1", "ts/v1"];

/** Refuses unknown keys in `--plugins`, a comma-separated list: kubebuilder's other plugins are not supported. */
export function refuseUnknownLayouts(options: Readonly<Record<string, unknown>>): void {
  for (const key of textFlag(options, "plugins")?.split(",") ?? []) {
    if (!layouts.includes(key)) {
      const { message, hint } = unknownValue("--plugins", key, layouts);
      throw usageError(message, key.startsWith("helm") ? "create a Helm chart with npx scaffold edit --helm" : hint);
    }
  }
}
