import { errorText } from "../log/error-text.ts";
import type { LogFields, Logger } from "../log/logger.ts";
import { redactField } from "../log/redact.ts";
import { redactText } from "../log/redact-text.ts";
import type { ReconcileLog } from "../session/records.ts";
import { inspectedScope } from "./scope.ts";

const longestField = 2000;

/** Returns a logger that also adds the lines of a reconcile to its record. */
export function inspectedLogger(inner: Logger): Logger {
  const record = (level: ReconcileLog["level"], message: string, fields: LogFields | undefined): void => {
    const scope = inspectedScope.getStore();
    if (!scope) return;
    const shown = fields && Object.entries(fields).map(([name, value]) => [name, shownField(name, value)]);
    scope.reconcile.log({
      level,
      message: redactText(String(message)),
      time: new Date().toISOString(),
      ...(shown && shown.length > 0 ? { fields: Object.fromEntries(shown) } : {}),
    });
  };
  return {
    debug(message, fields) {
      record("debug", message, fields);
      inner.debug(message, fields);
    },
    info(message, fields) {
      record("info", message, fields);
      inner.info(message, fields);
    },
    warn(message, fields) {
      record("warn", message, fields);
      inner.warn(message, fields);
    },
    error(error, message, fields) {
      record("error", message, error === undefined ? fields : { ...fields, error: errorText(error) });
      inner.error(error, message, fields);
    },
    with: (fields) => inspectedLogger(inner.with(fields)),
  };
}

/** Returns a field without credentials, as plain JSON of limited size. Objects of Kubernetes become their names. */
function shownField(name: string, value: unknown): unknown {
  try {
    const { kind, metadata } = (value ?? {}) as { kind?: unknown; metadata?: { namespace?: string; name?: string } };
    if (typeof kind === "string" && metadata?.name) {
      return `${kind} ${metadata.namespace ? `${metadata.namespace}/` : ""}${metadata.name}`;
    }
    const shown = redactField(name, value);
    const text = JSON.stringify(shown);
    return text === undefined || text.length <= longestField ? shown : `${text.slice(0, longestField)}…`;
  } catch {
    return "[unreadable]";
  }
}
