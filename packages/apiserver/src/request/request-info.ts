import { badRequest } from "../model/status.ts";
import { parseFieldSelector, requiredValue } from "./field-selector.ts";
import { partsOf } from "./path-parts.ts";
import { Query } from "./query.ts";

/** The resource and verb of a request, read from its method and URL alone. */
export interface RequestInfo {
  /** True if the path names a resource of the API. */
  isResource: boolean;
  path: string;
  query: Query;
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`; for other paths the method. */
  verb: string;
  group: string;
  version: string;
  resource: string;
  subresource: string;
  namespace: string;
  name: string;
  /** The parts of the path from the resource on. */
  parts: string[];
  fieldSelector: string;
  labelSelector: string;
}

const verbs: Record<string, string> = {
  POST: "create",
  GET: "get",
  HEAD: "get",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
};
const namespaceSubresources = new Set(["status", "finalize"]);
const verbsWithSelectors = new Set(["list", "watch", "deletecollection"]);

/** The path of a watch without a resource. */
export class UnreadablePath extends Error {
  constructor(path: string) {
    const problem = `failed to create RequestInfo: unable to determine kind and namespace from url, ${path}`;
    super(`Internal Server Error: ${JSON.stringify(path)}: ${problem}`);
    this.name = "UnreadablePath";
  }
}

/**
 * Reads a request.
 *
 * @param method - the HTTP method
 * @param url - path and query
 * @returns what the request asks for
 * @throws StatusError (400) if the path can't be decoded
 * @throws UnreadablePath if it ends where a resource has to follow
 */
export function requestInfo(method: string, url: string): RequestInfo {
  const mark = url.indexOf("?");
  const rawPath = mark < 0 ? url : url.slice(0, mark);
  const query = new Query(mark < 0 ? "" : url.slice(mark + 1));
  let path: string;
  try {
    path = rawPath.includes("%") ? decodeURIComponent(rawPath) : rawPath;
  } catch {
    throw badRequest(`invalid URL escape in path ${JSON.stringify(rawPath)}`);
  }
  const info: RequestInfo = {
    isResource: false,
    path,
    query,
    verb: method.toLowerCase(),
    group: "",
    version: "",
    resource: "",
    subresource: "",
    namespace: "",
    name: "",
    parts: [],
    fieldSelector: "",
    labelSelector: "",
  };

  let parts = partsOf(path);
  if (parts.length < 3 || (parts[0] !== "api" && parts[0] !== "apis")) return info;
  if (parts[0] === "apis") {
    if (parts.length < 4) return info;
    info.group = parts[1] as string;
    parts = parts.slice(2);
  } else {
    parts = parts.slice(1);
  }
  info.isResource = true;
  info.version = parts[0] as string;
  parts = parts.slice(1);

  const byPath = parts[0] === "watch" || parts[0] === "proxy";
  if (byPath) {
    info.verb = parts[0] as string;
    parts = parts.slice(1);
    if (parts.length === 0) throw new UnreadablePath(path);
  } else {
    info.verb = verbs[method] ?? "";
  }

  if (parts[0] === "namespaces" && parts[1] !== undefined) {
    info.namespace = parts[1];
    if (parts[2] !== undefined && !namespaceSubresources.has(parts[2])) parts = parts.slice(2);
  }
  info.parts = parts;
  info.resource = parts[0] ?? "";
  info.name = parts[1] ?? "";
  if (parts[2] !== undefined && !byPath) info.subresource = parts[2];

  if (info.name === "" && info.verb === "get") {
    info.verb = query.flag("watch") ? "watch" : "list";
    info.name = selectedName(query);
  }
  if (info.name === "" && info.verb === "delete") info.verb = "deletecollection";
  if (!byPath && verbsWithSelectors.has(info.verb)) {
    info.fieldSelector = query.text("fieldSelector");
    info.labelSelector = query.text("labelSelector");
  }
  return info;
}

/** A list of one object by its name counts as access to this object. */
function selectedName(query: Query): string {
  const text = query.text("fieldSelector");
  if (text === "") return "";
  try {
    const name = requiredValue(parseFieldSelector(text), "metadata.name") ?? "";
    return name === "." || name === ".." || /[/%]/.test(name) ? "" : name;
  } catch {
    return "";
  }
}
