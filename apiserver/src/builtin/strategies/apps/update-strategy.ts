import type { Json, JsonObject } from "../../../json/json.ts";

/** An update strategy as the server shows it: with the names of its Go struct. */
export function shownStrategy({ type, rollingUpdate }: JsonObject): Json {
  return { Type: type ?? "", RollingUpdate: rollingUpdate ?? null };
}
