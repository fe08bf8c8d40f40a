import type { ObjectRef } from "../protocol/protocol.ts";

/** Names of the views, in the order of the navigation. */
export const viewNames = ["objects", "controllers", "caches", "admission", "faults", "travel"] as const;
export type ViewName = (typeof viewNames)[number];

/** Names of the tabs of an object. */
export const tabNames = ["timeline", "tree", "yaml", "events", "revisions"] as const;
export type TabName = (typeof tabNames)[number];

/** The view, object and tab of the page. The address contains it after `#`, because names of objects may look like those of files. */
export interface Route {
  readonly view: ViewName;
  readonly object?: ObjectRef;
  readonly tab: TabName;
  /** Id of the entry to jump to. */
  readonly entry?: string;
}

/** Reads the part of the address after `#`. Anything unknown leads to the objects. */
export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#?\/?/, "").split("?", 2);
  const [view, ...rest] = path.split("/").map(decoded);
  const parameters = new URLSearchParams(query);
  const name = viewNames.find((candidate) => candidate === view) ?? "objects";
  const [kind, namespace, objectName] = rest;
  if (name !== "objects" || !kind || !objectName) return { view: name, tab: "timeline" };
  const apiVersion = parameters.get("apiVersion");
  const entry = parameters.get("entry");
  return {
    view: name,
    object: {
      ...(apiVersion ? { apiVersion } : {}),
      kind,
      ...(namespace && namespace !== "-" ? { namespace } : {}),
      name: objectName,
    },
    tab: tabNames.find((tab) => tab === parameters.get("tab")) ?? "timeline",
    ...(entry ? { entry } : {}),
  };
}

/** Returns the address of a view of an object. */
export function objectHref(
  { apiVersion, kind, namespace, name }: ObjectRef,
  { tab, entry }: { readonly tab?: TabName; readonly entry?: string } = {},
): string {
  const parameters = new URLSearchParams();
  if (apiVersion) parameters.set("apiVersion", apiVersion);
  if (tab && tab !== "timeline") parameters.set("tab", tab);
  if (entry) parameters.set("entry", entry);
  const path = [kind, namespace || "-", name].map(encodeURIComponent).join("/");
  const query = parameters.toString();
  return `#/objects/${path}${query === "" ? "" : `?${query}`}`;
}

/** Returns the reference of an object for requests. */
export function refOf({ apiVersion, kind, namespace, name }: ObjectRef): ObjectRef {
  return { ...(apiVersion ? { apiVersion } : {}), kind, ...(namespace ? { namespace } : {}), name };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
