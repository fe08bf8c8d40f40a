import type { TimeEncoding } from "./options.ts";

/** Returns a time for a JSON line: quoted text, or a number for the epoch encodings. */
export function timestamp(encoding: TimeEncoding, date: Date): string {
  const iso = date.toISOString();
  switch (encoding) {
    case "epoch":
      return String(date.getTime() / 1000);
    case "millis":
      return String(date.getTime());
    case "nanos":
      return `${date.getTime()}000000`;
    case "iso8601":
      return `"${iso.replace("Z", "+0000")}"`;
    case "rfc3339":
      return `"${iso.slice(0, 19)}Z"`;
    case "rfc3339nano":
      return `"${iso}"`;
  }
}
