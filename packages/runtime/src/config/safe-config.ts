import { redact, redactField } from "../log/redact.ts";
import { redactedText } from "../log/redact-text.ts";
import type { Config } from "./config.ts";

const inspection: unique symbol = Symbol.for("nodejs.util.inspect.custom") as never;

/**
 * Returns a copy of a configuration that can be printed. `JSON.stringify` and `util.inspect` omit the token, password and
 * key, and the arguments and environment of a credential plugin. The fields themselves are complete. A copy made by
 * spreading prints everything.
 */
export function safeConfig(config: Config): Config {
  const printable = function (this: Config): unknown {
    const { key, ...rest } = this;
    const shown = Object.entries(rest).map(([name, value]) => [name, redactField(name, redact(value))]);
    return { ...Object.fromEntries(shown), ...(key === undefined ? {} : { key: redactedText }) };
  };
  // Not enumerable, so that comparing or copying a configuration includes only its data.
  const property = { value: printable, enumerable: false, configurable: true, writable: true };
  return Object.defineProperties({ ...config }, { toJSON: property, [inspection]: property });
}
