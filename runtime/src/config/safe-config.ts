import { redact, redactField } from "../log/redact.ts";
import { redactedText } from "../log/redact-text.ts";
import type { Config } from "./config.ts";

const inspection: unique symbol = Symbol.for("nodejs.util.inspect.custom") as never;

/**
 * A copy of a configuration that can be printed: `JSON.stringify` and `util.inspect` show neither token, password and key nor the
 * arguments and environment of a credential plugin. The fields themselves are complete. A copy made by spreading prints everything.
 */
export function safeConfig(config: Config): Config {
  const printable = function (this: Config): unknown {
    const { key, ...rest } = this;
    const shown = Object.entries(rest).map(([name, value]) => [name, redactField(name, redact(value))]);
    return { ...Object.fromEntries(shown), ...(key === undefined ? {} : { key: redactedText }) };
  };
  // Not enumerable: comparing or copying a configuration involves only its data.
  const property = { value: printable, enumerable: false, configurable: true, writable: true };
  return Object.defineProperties({ ...config }, { toJSON: property, [inspection]: property });
}
