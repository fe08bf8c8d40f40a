import type { Json } from "@kubewright/cel/json";
import type { ApiObject, StoredForm } from "../../model/resource.ts";
import { normalize } from "./decode.ts";
import { goStruct } from "./go-types.ts";

/** The fields that the events of events.k8s.io/v1 have under other names than those of core/v1. */
const names: readonly [own: string, core: string][] = [
  ["regarding", "involvedObject"],
  ["note", "message"],
  ["reportingController", "reportingComponent"],
  ["deprecatedSource", "source"],
  ["deprecatedFirstTimestamp", "firstTimestamp"],
  ["deprecatedLastTimestamp", "lastTimestamp"],
  ["deprecatedCount", "count"],
];
const toCore = new Map(names);
const toOwn = new Map(names.map(([own, core]) => [core, own]));

/** Both groups serve the same events, which are stored as those of core/v1. */
export const storedEvents: StoredForm = {
  group: "",
  write: (event) => renamed(event, toCore, "core/v1.Event"),
  read: (event) => renamed(event, toOwn, "events/v1.Event"),
};

function renamed(event: ApiObject, to: ReadonlyMap<string, string>, struct: string): ApiObject {
  const fields = Object.entries(event).map(([name, value]): [string, Json] => [to.get(name) ?? name, value as Json]);
  return normalize(goStruct(struct), Object.fromEntries(fields), "stored").object as ApiObject;
}
