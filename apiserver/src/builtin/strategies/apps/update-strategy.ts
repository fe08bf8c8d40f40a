import type { Json, JsonObject } from "../../../json/json.ts";
import { fieldsOf, isSet } from "../fields.ts";

/**
 * An update strategy as the server shows it: with the names of its Go structs.
 *
 * @param strategy - the strategy
 * @param fields - the fields of a rolling update with their values if they are absent, in the order of the Go struct
 * @returns the JSON of the struct
 */
export function shownStrategy({ type, rollingUpdate }: JsonObject, fields: Readonly<Record<string, Json>>): Json {
  const rolling = fieldsOf(rollingUpdate);
  const shown = Object.entries(fields).map(([name, absent]) => [
    name.charAt(0).toUpperCase() + name.slice(1),
    rolling[name] ?? absent,
  ]);
  return { Type: type ?? "", RollingUpdate: isSet(rollingUpdate) ? Object.fromEntries(shown) : null };
}
