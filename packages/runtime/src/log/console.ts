/** Keys of a JSON line that aren't shown among the fields. */
const ownKeys = new Set(["ts", "level", "logger", "msg", "stacktrace"]);

/**
 * Converts the logger's JSON lines into human-readable lines: time, level, logger, message and fields, separated by tabs.
 */
export function consoleDestination(destination: { write(line: string): void }): { write(line: string): void } {
  return {
    write(line: string): void {
      destination.write(consoleLine(line));
    },
  };
}

/** Converts one line of JSON. */
export function consoleLine(line: string): string {
  const record = JSON.parse(line) as Record<string, unknown>;
  const parts = [String(record.ts), String(record.level).toUpperCase()];
  if (record.logger !== undefined) parts.push(String(record.logger));
  parts.push(String(record.msg));
  const fields = Object.entries(record).filter(([key]) => !ownKeys.has(key));
  if (fields.length > 0) {
    parts.push(`{${fields.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(", ")}}`);
  }
  const stack = record.stacktrace === undefined ? "" : `\n${String(record.stacktrace)}`;
  return `${parts.join("\t")}${stack}\n`;
}
