import type { JsonObject } from "@kubewright/cel/json";
import { authenticate, credentialWarnings, type TokenReader } from "../access/authenticate.ts";
import type { Impersonation } from "../access/impersonation.ts";
import { aggregatedKind, type Discovery } from "../discovery/discovery.ts";
import type { AccessRequest } from "../model/authorizer.ts";
import { type Encoding, mediaTypes } from "../model/encoding.ts";
import type { Answer, ApiRequest, UserInfo } from "../model/request.ts";
import { badRequest, methodNotSupported, StatusError } from "../model/status.ts";
import { create, get, list, patch, remove, removeCollection, update, watch } from "../registry/handlers.ts";
import { checkNameInPath } from "../registry/metadata.ts";
import { patchOf } from "../registry/patch.ts";
import { acceptedBy, documentAnswer } from "../registry/respond.ts";
import { accessDenied, type Engine, Scope } from "../registry/scope.ts";
import { RequestTimeout, timeoutOf } from "../request/deadline.ts";
import type { Accepted } from "../request/negotiation.ts";
import { partsOf } from "../request/path-parts.ts";
import { type RequestInfo, requestInfo, UnreadablePath } from "../request/request-info.ts";
import { warningHeaders } from "../request/warnings.ts";
import type { ConnectHandler } from "../subresources/connect.ts";

/** The parts that answer requests. */
export interface HandlerParts {
  engine: Engine;
  discovery: Discovery;
  readToken: TokenReader;
  /** Whether requests without credentials have an anonymous user. */
  allowsAnonymous: boolean;
  impersonation: Impersonation;
  /** Reports whether a group is built in: errors of its paths differ from those of custom resources. */
  isBuiltIn: (group: string) => boolean;
  /** Reports whether another server has to answer requests for a path. */
  isRemote: (path: string) => boolean;
  /**
   * Subresources with rules of their own, such as `pods/eviction`, by group, resource and subresource; and reads of kinds
   * whose objects aren't stored, without subresource.
   */
  connect: ReadonlyMap<string, ConnectHandler>;
  /** Answers paths that aren't resources. Undefined if it has no answer. */
  documents: (info: RequestInfo, request: ApiRequest) => Answer | Promise<Answer> | undefined;
  /** Reports whether a path that isn't one of a resource is among those that the server lists. */
  isListed: (path: string) => boolean;
  /** Counts the request when it is answered, if its resource or path exists and its user may see it. */
  count: (info: RequestInfo, status: number) => void;
}

const textEncodings: readonly Encoding[] = ["json", "yaml", "protobuf"];

/**
 * Creates the function that answers all requests.
 *
 * @param parts - what it uses
 * @returns a function that never rejects: errors are answers too
 */
export function createHandler(parts: HandlerParts): (request: ApiRequest) => Promise<Answer> {
  const compresses = parts.engine.gates.enabled("APIResponseCompression");
  return async (request) => {
    const started = parts.engine.elapsed();
    let info: RequestInfo | undefined;
    let scope: Scope | undefined;
    let answer: Answer;
    // Answers of the router and the authorizer have a header that forbids browsers to guess their type.
    let isRefused = true;
    try {
      info = requestInfo(request.method, request.url);
      isRefused = false;
      const timeout = timeoutOf(info);
      isRefused = true;
      const user = authorized(parts, request, info);
      isRefused = false;
      const made = parts.isRemote(info.path) ? unavailable() : resourceScope(parts, request, info, user);
      if (made instanceof Scope) {
        scope = made;
        scope.deadline = started + timeout;
        const body = await request.readBody?.();
        if (body !== undefined) request.body = body;
        answer = await dispatch(parts, made);
        if (request.method !== "GET") await made.type.converted?.settle(parts.engine);
      } else {
        answer = made ?? (await documents(parts, info, request));
      }
    } catch (error) {
      answer = errorAnswer(parts, request, info, error);
      // Only the handler of a built-in kind adds warnings, and the router didn't call it.
      if (isOfRouter(error) && scope?.type.custom === false) scope = undefined;
      if (isRefused && answer.status !== 401) answer.headers["x-content-type-options"] = "nosniff";
    }
    addWarnings(answer, scope, request);
    // Objects, lists and discovery, but not the logs of Pods, OpenAPI and metrics.
    const isDocument = answer.headers["content-type"] !== "text/plain" && /^\/apis?(\/|$)/.test(info?.path ?? "");
    if (answer.stream === undefined) answer.compressible ??= compresses && isDocument;
    answer.headers["cache-control"] ??= "no-cache, private";
    const isKnown = scope === undefined ? info?.isResource === false && parts.isListed(info.path) : hasRoute(scope);
    if (info !== undefined && isKnown && !isRefused) parts.count(info, answer.status);
    return answer;
  };
}

function addWarnings(answer: Answer, scope: Scope | undefined, request: ApiRequest): void {
  const texts = [...credentialWarnings(request), scope?.version.deprecation, ...(scope?.warnings ?? [])];
  const headers = warningHeaders(texts.filter((text) => text !== undefined));
  if (headers.length > 0) answer.headers.warning = headers;
}

function authorized(parts: HandlerParts, request: ApiRequest, info: RequestInfo): UserInfo {
  const { authorizer } = parts.engine;
  const own: AccessRequest = {
    user: authenticate(request, parts.readToken, parts.allowsAnonymous),
    verb: info.verb,
    isResource: info.isResource,
    path: info.path,
    group: info.group,
    version: info.version,
    resource: info.resource,
    subresource: info.subresource,
    namespace: info.namespace,
    name: info.name,
  };
  const access = { ...own, user: parts.impersonation.userOf(request, own) };
  const decision = authorizer.authorize(access);
  if (!decision.allowed) throw accessDenied(access, decision.reason);
  return access.user;
}

/** Reports whether the resource of a request has the subresource that its path names. */
function hasRoute({ info: { subresource }, version }: Scope): boolean {
  return subresource === "" || version.subresources.has(subresource);
}

/**
 * Access is checked for the resource of a path with several slashes at its beginning or an empty group, but such paths have no
 * route.
 */
function hasNoRoute({ path }: RequestInfo): boolean {
  return path.startsWith("//") || path.startsWith("/apis//");
}

/** Finds the resource of a request. Undefined if the path isn't one of a resource. */
function resourceScope(
  parts: HandlerParts,
  request: ApiRequest,
  info: RequestInfo,
  user: UserInfo,
): Scope | Answer | undefined {
  if (!info.isResource || hasNoRoute(info)) return undefined;
  const type = parts.engine.resource(info.group, info.resource);
  const version = type?.versions.get(info.version);
  if (type === undefined || version === undefined) {
    if (parts.isBuiltIn(info.group)) throw notServed();
    return undefined;
  }
  // A path with a namespace can't name an object of the cluster, and the other way round.
  const clusterWide = info.namespace === "" && type.namespaced;
  // The path of a namespace has its name twice: as its namespace and as its own.
  const isNamespace = info.resource === "namespaces" && info.parts.length > 1 && info.name === info.namespace;
  const misplaced = !type.namespaced && info.namespace !== "" && !isNamespace;
  const writes = type.custom && (info.verb === "create" || info.verb === "deletecollection");
  if (misplaced || (clusterWide && ((info.name !== "" && info.parts.length > 1) || writes))) {
    if (!type.custom) throw notServed();
    return undefined;
  }
  return new Scope(parts.engine, request, info, type, version, user);
}

/** The error of the router for built-in kinds. */
function notServed(): StatusError {
  return new StatusError(404, "NotFound", "the server could not find the requested resource", {});
}

function methodNotAllowed(): StatusError {
  const message = "the server does not allow this method on the requested resource";
  return new StatusError(405, "MethodNotAllowed", message, {});
}

/** Reports whether an error is {@link methodNotAllowed} or {@link notServed}, which name no resource. */
function isOfRouter(error: unknown): boolean {
  if (!(error instanceof StatusError)) return false;
  return (error.code === 405 || error.code === 404) && error.details?.kind === undefined;
}

async function dispatch(parts: HandlerParts, scope: Scope): Promise<Answer> {
  const { info, request, type, version } = scope;
  const hasName = info.parts.length > 1;
  const hasObjects = version.verbs.some((one) => one !== "create" && one !== "list" && one !== "watch");
  if (hasName && !hasObjects && !type.custom) throw notServed();
  // The paths under watch/ are routes of GET for built-in kinds; those of custom resources take each method.
  const longest = info.verb === "watch" ? 2 : 3;
  const isTooLong = info.parts.length > longest && info.subresource !== "proxy";
  if (!type.custom && (isTooLong || info.verb === "proxy")) throw notServed();
  // Admission sees all methods of a proxy.
  const isHead = request.method === "HEAD" && info.subresource !== "proxy";
  const isOtherMethod = isHead || (info.verb === "watch" && request.method !== "GET");
  if (isOtherMethod && !type.custom) throw methodNotAllowed();
  if (info.subresource !== "") return subresource(parts, scope);
  const byPath = info.verb === "watch" && info.parts.length > 0 && !info.query.flag("watch");
  const verb = info.name !== "" && info.parts.length === 1 && info.verb === "list" ? "list" : info.verb;
  const method = verb === "watch" && byPath ? "watch" : verb;
  const unstored = parts.connect.get(`${type.group}/${type.resource}`);
  if (unstored !== undefined && request.method === "GET" && !byPath) {
    checkAcceptOf(scope);
    return unstored(scope);
  }
  // Requests for objects of a definition that is being deleted are still handled, although discovery lists fewer verbs.
  const isTerminating = version.createProblem !== undefined;
  const allowed =
    (version.verbs.includes(method) || (isTerminating && ["create", "update", "patch"].includes(method))) &&
    // The name in the path of a custom resource has no meaning for a create.
    !(method === "create" && ((hasName && !type.custom) || (type.namespaced && info.namespace === ""))) &&
    !((method === "update" || method === "patch") && !hasName) &&
    !(method === "deletecollection" && type.namespaced && info.namespace === "");
  if (!allowed) {
    // Custom resources have no routes: their handlers find out what is missing.
    if (type.custom && (method === "update" || method === "patch") && !hasName) {
      if (method === "patch") patchOf(scope);
      throw badRequest("name must be provided");
    }
    if (type.custom && method !== "create") throw methodNotSupported(scope.groupResource, method);
    throw methodNotAllowed();
  }
  checkAcceptOf(scope);
  // Patches are read before their names are checked.
  if (method === "get" || method === "delete") checkNameInPath(info.name);
  switch (method) {
    case "get":
      return get(scope);
    case "list":
      return list(scope);
    case "watch":
      return watch(scope, byPath);
    case "create":
      return create(scope);
    case "update":
      return update(scope);
    case "patch":
      return patch(scope);
    case "delete":
      return remove(scope);
    case "deletecollection":
      return removeCollection(scope);
    default:
      throw methodNotAllowed();
  }
}

const produced = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"];
/** The media types of lists whose resource has watches. */
const watched = [...produced, "application/json;stream=watch", "application/vnd.kubernetes.protobuf;stream=watch"];

/** Returns the media types of reads. */
function readable({ info, type, version }: Scope): readonly string[] {
  if (type.resource === "pods" && info.subresource === "log") return ["text/plain", ...produced];
  return info.subresource === "" && info.parts.length <= 1 && version.verbs.includes("watch") ? watched : produced;
}

/** Checks the media types of a request to a built-in resource. */
function checkAcceptOf(scope: Scope): void {
  const { method, headers } = scope.request;
  if (!scope.type.custom) checkAccept(String(headers.accept ?? ""), method === "GET" ? readable(scope) : produced);
}

/**
 * The router of the real server rejects media types that no built-in resource has, after methods without a route and before all
 * other checks.
 */
function checkAccept(header: string, representations: readonly string[]): void {
  const types = header.split(",").map((range) => (range.split(";")[0] as string).trim());
  if (header === "" || types.some((type) => type === "*/*" || representations.includes(type))) return;
  const message = `406: Not Acceptable\n\nAvailable representations: ${representations.join(", ")}`;
  throw new StatusError(406, "NotAcceptable", message, {});
}

async function subresource(parts: HandlerParts, scope: Scope): Promise<Answer> {
  const { info, type, version } = scope;
  const entry = version.subresources.get(info.subresource);
  if (entry === undefined) {
    if (!type.custom) throw notServed();
    throw new StatusError(404, "NotFound", `${type.resource}.${type.group} "${info.name}" not found`, {
      name: info.name,
      group: type.group,
      kind: type.resource,
    });
  }
  const isOptions = info.subresource === "proxy" && scope.request.method === "OPTIONS";
  if (!entry.verbs.includes(info.verb) && !isOptions)
    throw type.custom ? methodNotSupported(scope.groupResource, info.verb) : methodNotAllowed();
  checkAcceptOf(scope);
  if (info.verb !== "create") checkNameInPath(info.name);
  const handler =
    parts.connect.get(`${type.group}/${type.resource}/${info.subresource}`) ??
    parts.connect.get(`*/${info.subresource}`);
  if (handler !== undefined) return handler(scope);
  switch (info.verb) {
    case "get":
      return get(scope);
    case "update":
      return update(scope);
    case "patch":
      return patch(scope);
    default:
      throw methodNotAllowed();
  }
}

async function documents(parts: HandlerParts, info: RequestInfo, request: ApiRequest): Promise<Answer> {
  const answer = hasNoRoute(info)
    ? undefined
    : (discoveryDocument(parts, info, request) ?? (await parts.documents(info, request)));
  if (answer !== undefined) return answer;
  return plainAnswer(404, "404 page not found");
}

/** Answers for another server, to which this one doesn't forward requests. */
function unavailable(): Answer {
  return plainAnswer(503, "service unavailable");
}

function plainAnswer(status: number, text: string): Answer {
  const headers = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };
  return { status, headers, body: `${text}\n` };
}

function discoveryDocument(parts: HandlerParts, info: RequestInfo, request: ApiRequest): Answer | undefined {
  const [root, ...rest] = partsOf(info.path);
  const { discovery } = parts;
  if (root !== "api" && root !== "apis") return undefined;
  const depth = root === "api" ? rest.length + 1 : rest.length;
  if (depth > 2) return undefined;
  const group = root === "api" ? "" : (rest[0] ?? "");
  const top = rest.length === 0;
  const document = top
    ? root === "api"
      ? discovery.core()
      : discovery.groups()
    : depth === 1
      ? discovery.group(group)
      : discovery.resources(group, rest.at(-1) as string);
  if (document === undefined) {
    if (root === "api" || discovery.group(group) !== undefined) {
      if (root === "api" || parts.isBuiltIn(group)) throw notServed();
    }
    return undefined;
  }
  const anyMethod = root === "apis" && (depth <= 1 || !parts.isBuiltIn(group));
  if (request.method !== "GET" && !anyMethod) throw methodNotAllowed();
  if (root === "api" || (depth === 2 && parts.isBuiltIn(group)))
    checkAccept(String(request.headers.accept ?? ""), produced);
  const form = top ? { form: aggregatedKind } : {};
  const accepted = acceptedBy(request, info.query, { encodings: textEncodings, transforms: false, ...form });
  const encode = (shown: JsonObject): Answer => documentAnswer(200, shown, accepted, parts.engine.metaToProtobuf);
  if (accepted.as === undefined) return encode(document);
  const { encoding, pretty, as } = accepted;
  const { body, etag } = discovery.aggregated(
    root === "api",
    `${encoding} ${pretty}`,
    (shown) => encode(shown).body as string | Uint8Array,
  );
  const type = `${mediaTypes[encoding]};g=${as.group};v=${as.version};as=${as.kind}`;
  const headers = { "content-type": type, etag, vary: "Accept", "cache-control": "public" };
  return request.headers["if-none-match"] === etag ? { status: 304, headers } : { status: 200, headers, body };
}

function errorAnswer(parts: HandlerParts, request: ApiRequest, info: RequestInfo | undefined, thrown: unknown): Answer {
  if (thrown instanceof RequestTimeout) return thrown.answer();
  if (thrown instanceof UnreadablePath) return plainAnswer(500, thrown.message);
  const error =
    thrown instanceof StatusError
      ? thrown
      : new StatusError(500, "", thrown instanceof Error ? thrown.message : String(thrown));
  const retry = error.details?.retryAfterSeconds;
  // JSON for clients that accept nothing or only another form.
  let accepted: Pick<Accepted, "encoding" | "pretty"> = { encoding: "json", pretty: true };
  try {
    accepted = acceptedBy(request, info?.query, { encodings: textEncodings, transforms: false });
  } catch {
    // The error of the request is the one to report.
  }
  const headers: Answer["headers"] = retry ? { "retry-after": String(retry) } : {};
  return documentAnswer(error.code, error.status(), accepted, parts.engine.metaToProtobuf, headers);
}
