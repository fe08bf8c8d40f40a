import { generateKeyPairSync } from "node:crypto";
import { setMaxListeners } from "node:events";
import { setTimeout as pause, setImmediate } from "node:timers/promises";
import { decodeJson, isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import { accessReviews } from "../access/access-reviews.ts";
import { aggregateClusterRoles } from "../access/aggregation.ts";
import { createBootstrapRoles } from "../access/bootstrap.ts";
import { escalationRules } from "../access/escalation.ts";
import { Impersonation } from "../access/impersonation.ts";
import { RbacAuthorizer } from "../access/rbac.ts";
import { ServiceAccountTokens } from "../access/service-account-tokens.ts";
import { tokenRequests } from "../access/token-requests.ts";
import { authenticationReviews } from "../access/token-reviews.ts";
import { BearerTokens } from "../access/tokens.ts";
import { createAdmission } from "../admission/create-admission.ts";
import { type GoStruct, structOfKind } from "../builtin/codec/go-types.ts";
import { decodeProtobuf, encodeProtobuf } from "../builtin/codec/protobuf.ts";
import { builtInGroups, builtInResources, codecOf, structOfApiVersion } from "../builtin/resources.ts";
import { ApiServices } from "../controllers/api-services.ts";
import { expireEvents } from "../controllers/event-expiry.ts";
import { FlowSchemas } from "../controllers/flow-schemas.ts";
import { GarbageCollector } from "../controllers/garbage-collector.ts";
import { NamespaceController } from "../controllers/namespace.ts";
import { writeQuotaUsage } from "../controllers/quota-usage.ts";
import { createSteps } from "../controllers/steps.ts";
import { StorageVersionMigrations } from "../controllers/storage-version-migrations.ts";
import { Definitions } from "../custom-resources/definitions.ts";
import { createConverter } from "../custom-resources/webhook-conversion.ts";
import { dataFile } from "../data/data.ts";
import { createFeatureGates } from "../data/feature-gates.ts";
import { newestVersion } from "../data/versions.ts";
import { Discovery, type ListedGroups } from "../discovery/discovery.ts";
import { type ApiGroup, servedGroups } from "../discovery/groups.ts";
import { expressionCompiler } from "../expressions/compile-expression.ts";
import { createDocuments, pathsOf } from "../handler/documents.ts";
import { createHandler } from "../handler/handle.ts";
import { RequestMetrics } from "../handler/metrics.ts";
import { type Authorizer, alwaysAllow } from "../model/authorizer.ts";
import type { Encoding } from "../model/encoding.ts";
import { timestamp, uuid } from "../model/metadata.ts";
import type { Answer, ApiRequest } from "../model/request.ts";
import { type ApiObject, DecodeError, type ResourceType, type StrategyContext } from "../model/resource.ts";
import { badRequest, StatusError } from "../model/status.ts";
import { createOpenApi } from "../openapi/documents.ts";
import { fieldManagerOf, withoutOwners } from "../registry/owners.ts";
import { type Engine, parseStored } from "../registry/scope.ts";
import { notAnObject } from "../request/body.ts";
import { decodeYaml } from "../request/yaml.ts";
import { Journal } from "../storage/journal.ts";
import { Store } from "../storage/store.ts";
import { binding, namespaceBinding } from "../subresources/binding.ts";
import { componentStatuses } from "../subresources/component-statuses.ts";
import { connect } from "../subresources/connect.ts";
import { eviction } from "../subresources/eviction.ts";
import { podLog } from "../subresources/pod-log.ts";
import { scale } from "../subresources/scale.ts";
import { createNamespaces } from "./namespaces.ts";
import { nameConverter, noAdmission, ofSingleObjects } from "./objects-only.ts";
import type { ApiServerOptions, Clock } from "./options.ts";
import { storedObjectCheck } from "./stored-objects.ts";

/** The milliseconds in which a watch sends an event, and a client reads it. */
const sendingTime = 1;
// Node.js fires longer timeouts immediately.
const longestTimeout = 2 ** 31 - 1;

const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  setTimeout: (call, milliseconds) => {
    const timer = setTimeout(call, Math.min(milliseconds, longestTimeout));
    timer.unref();
    return timer;
  },
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

const bootstrapRoles = dataFile<JsonObject[]>("rbac-bootstrap.json");
const defaultIssuer = "https://kubernetes.default.svc.cluster.local";

/** The options of {@link createEngine}. */
export interface EngineOptions extends ApiServerOptions {
  /**
   * True for the rules of single objects alone: no objects exist at the start, admission doesn't run, deletions wait for no
   * controller, and no webhook converts objects.
   */
  objectsOnly?: boolean;
  /** Reads the values of further fields that objects can be selected by. */
  fieldIndex?: Engine["fieldIndex"];
}

/** The options of {@link createEngine} that a restart can change. */
export type RestartOptions = Pick<ApiServerOptions, "clock" | "random" | "controllers" | "convert">;

/** The server without a socket. */
export interface Core {
  engine: Engine;
  definitions: Definitions;
  handle(request: ApiRequest): Promise<Answer>;
  /** Ends all streams and controllers. */
  stop(): void;
  /**
   * Returns to a past state and begins there again: timers of before never fire, and the controllers start anew.
   *
   * @param revision - a revision within the history
   * @param options - replaces the clock, the random numbers and the controllers
   */
  restart(revision: number, options: RestartOptions): void;
  /** Closes the data file and connections to webhooks. */
  close(): void;
}

/**
 * Creates the server without a socket.
 *
 * @param options - the options of the server
 * @param address - returns host and port of the server, for discovery
 * @returns the server
 * @throws Error if the data file can't be read
 */
export function createEngine(options: EngineOptions, address: () => string): Core {
  const warn = options.warn ?? ((message: string) => process.stderr.write(`warning: ${message}\n`));
  const journal =
    options.dataFile === undefined
      ? undefined
      : new Journal(options.dataFile, warn, storedObjectCheck(options.kubernetesVersion ?? newestVersion));
  try {
    return createCore(options, address, journal);
  } catch (error) {
    journal?.close();
    throw error;
  }
}

function createCore(options: EngineOptions, address: () => string, journal: Journal | undefined): Core {
  const { objectsOnly = false } = options;
  let { clock = systemClock, random: source = Math.random, controllers = {}, convert } = options;
  const random = (): number => source();
  /** Number of restarts. Timers of before don't fire. */
  let restarts = 0;
  const now = (): number => clock.date().getTime();
  const uid = (): string => uuid(random);
  const limits = options.history ? { limits: options.history } : {};
  // The age of changes is measured by a clock that can't be set.
  const store = new Store({ now: () => clock.now(), ...limits, ...(journal ? { journal } : {}) });
  const stopping = new AbortController();
  // Each watch listens, and Node.js warns about more than ten listeners.
  setMaxListeners(0, stopping.signal);
  const cleanups: (() => void)[] = [];

  const modes = [options.authorization ?? "rbac"].flat();
  const rbac = modes.includes("rbac") ? new RbacAuthorizer(store) : undefined;
  const authorizer = rbac === undefined || modes.includes("always-allow") ? alwaysAllow : rbac;
  const kubernetes = options.kubernetesVersion ?? newestVersion;
  const types = builtInResources(kubernetes).map((type) => {
    if (objectsOnly) return ofSingleObjects(type);
    return rbac === undefined ? type : withEscalationRules(type, rbac, authorizer);
  });
  const byName = new Map(types.map((type) => [`${type.group}/${type.resource}`, type]));
  let served = servedGroups(types, [], kubernetes);

  const accounts = new ServiceAccountTokens({
    ...(options.serviceAccounts ?? { signingKey: newSigningKey, issuers: [defaultIssuer] }),
    store,
    now,
    uid,
  });
  const tokens = new BearerTokens(options.tokens ?? new Map(), accounts, () => clock.now());
  const admission = createAdmission({
    store,
    authorizer,
    now,
    uid,
    compile: expressionCompiler(authorizer),
    disabled: options.disabledAdmissionPlugins ?? [],
    enabled: options.enabledAdmissionPlugins ?? [],
    resources: () => engineTypes(),
    writeUsage: (...usage) => writeQuotaUsage(engine, ...usage),
  });
  const engineTypes = (): ResourceType[] => [...types, ...definitions.resources()];

  const engine: Engine = {
    store,
    admission: objectsOnly ? noAdmission : admission.chain,
    authorizer,
    virtual: new Map([
      ...accessReviews(authorizer, rbac),
      ...authenticationReviews(tokens),
      ["/bindings", namespaceBinding] as const,
    ]),
    now,
    elapsed: () => clock.now(),
    random,
    after: (milliseconds, call, isBackground = false) => {
      const started = restarts;
      const timers = isBackground ? (clock.background ?? clock) : clock;
      const timer = timers.setTimeout(() => {
        if (restarts === started) call();
      }, milliseconds);
      return () => timers.clearTimeout(timer);
    },
    ...(options.http === false || options.clock !== undefined ? {} : { sendEvents: () => pause(sendingTime) }),
    ...(options.clock === undefined
      ? { newSteps: createSteps(stopping.signal, () => restarts), nextTurn: () => setImmediate() }
      : {}),
    resource: (group, resource) => byName.get(`${group}/${resource}`) ?? definitions.resource(group, resource),
    resources: engineTypes,
    kubernetes,
    gates: createFeatureGates(kubernetes, options.featureGates),
    metaOptions: decodeOptions,
    // Some documents of discovery have no version.
    metaToProtobuf: (document) =>
      encodeProtobuf(
        structOfApiVersion(String(document.apiVersion ?? "v1"), String(document.kind), kubernetes) as GoStruct,
        document,
      ),
    builtinCodec: (group, given, kind) => {
      // The server still has this version, although it no longer serves it.
      const version = group === "apiextensions.k8s.io" && given === "v1beta1" ? "v1" : given;
      const struct = structOfKind(group, version, kind, kubernetes);
      return struct === undefined ? undefined : codecOf(group, version, kind, kubernetes);
    },
    fieldManager: options.managedFields === false ? withoutOwners : fieldManagerOf,
    collectsGarbage: !objectsOnly,
    get recordsEvents() {
      return typeof controllers.workloads !== "object" || (controllers.workloads.events ?? true);
    },
    ...(options.fieldIndex ? { fieldIndex: options.fieldIndex } : {}),
    stopping: stopping.signal,
  };
  let collector: GarbageCollector | undefined;
  const converter = objectsOnly && !convert ? nameConverter : createConverter(admission.clients, uid, () => convert);
  const definitions = new Definitions(engine, converter, () => {
    served = servedGroups(types, definitions.resources(), kubernetes);
    collector?.observe(engineTypes());
    services?.update(served);
  });

  const services = objectsOnly ? undefined : new ApiServices(engine);
  const listed = (): ListedGroups => services?.listed ?? { groups: served, aggregated: served };
  for (const type of types) reclaimAssigned(store, type);
  store.onRestore(() => {
    for (const type of types) {
      type.strategy.forgetAssigned?.();
      reclaimAssigned(store, type);
    }
  });
  if (services !== undefined) {
    createNamespaces(engine, uid);
    services.update(served);
    cleanups.push(services.start(), new FlowSchemas(engine).start());
  }
  if (rbac !== undefined) {
    createBootstrapRoles(store, bootstrapRoles(kubernetes), timestamp(now()), uid);
    const { clusterRoleAggregation = true } = controllers;
    if (clusterRoleAggregation) cleanups.push(aggregateClusterRoles(store, () => timestamp(now())));
  }
  cleanups.push(definitions.start());
  const stops: (() => void)[] = [];
  const startControllers = (): void => {
    const { garbageCollector = !objectsOnly, namespace = !objectsOnly } = controllers;
    if (!objectsOnly) stops.push(expireEvents(engine, Boolean(controllers.workloads)));
    const delayOf = (controller: boolean | { delay(): number }): (() => number) | undefined =>
      typeof controller === "object" ? () => controller.delay() : undefined;
    if (namespace) stops.push(new NamespaceController(engine, delayOf(namespace)).start());
    const { storageVersionMigrator = !objectsOnly } = controllers;
    const migrations = engine.resource("storagemigration.k8s.io", "storageversionmigrations");
    if (storageVersionMigrator && migrations) stops.push(new StorageVersionMigrations(engine, migrations).start());
    if (!garbageCollector) return;
    const started = new GarbageCollector(engine, delayOf(garbageCollector));
    collector = started;
    started.observe(engineTypes());
    stops.push(() => started.stop());
  };
  const stopControllers = (): void => {
    for (const stop of stops.splice(0)) stop();
    collector = undefined;
  };
  startControllers();

  const metrics = new RequestMetrics();
  let paths: { groups: readonly ApiGroup[]; set: ReadonlySet<string> } | undefined;
  const isListed = (path: string): boolean => {
    const { groups } = listed();
    if (paths?.groups !== groups) paths = { groups, set: new Set(pathsOf(groups)) };
    return paths.set.has(path);
  };
  const handle = createHandler({
    engine,
    discovery: new Discovery(listed, address),
    readToken: (token) => tokens.user(token),
    // Otherwise, everybody could do everything.
    allowsAnonymous: authorizer !== alwaysAllow,
    impersonation: new Impersonation(authorizer),
    isRemote: (path) => services?.isRemote(path) ?? false,
    isBuiltIn: (group) => builtInGroups(kubernetes).some(({ name }) => name === group),
    connect: new Map([
      ["/componentstatuses", componentStatuses(() => Boolean(controllers.workloads))],
      ["/serviceaccounts/token", tokenRequests(accounts)],
      ["/pods/binding", binding],
      ["/pods/eviction", eviction],
      ["/pods/log", podLog],
      ["*/scale", scale],
      ...["exec", "attach", "portforward", "proxy"].map((name) => [`*/${name}`, connect] as const),
    ]),
    documents: createDocuments({
      kubernetes,
      now,
      openapi: createOpenApi(() => definitions.published(), now, kubernetes),
      metrics,
      accounts,
      groups: () => listed().groups,
      address,
    }),
    isListed,
    count: (info, status) => metrics.count(info, status, info.query.has("dryRun")),
  });
  return {
    engine,
    definitions,
    handle,
    stop() {
      stopping.abort();
      stopControllers();
      for (const cleanup of cleanups) cleanup();
    },
    restart(revision, next) {
      stopControllers();
      clock = next.clock ?? clock;
      source = next.random ?? source;
      controllers = next.controllers ?? controllers;
      convert = next.convert ?? convert;
      restarts++;
      definitions.restart();
      store.restore(revision);
      startControllers();
    },
    close() {
      admission.clients.close();
      store.close();
    },
  };
}

function newSigningKey(): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return privateKey.export({ type: "pkcs8", format: "pem" }) as string;
}

/** Adds the rules that keep users from granting permissions that they don't have. */
function withEscalationRules(type: ResourceType, rbac: RbacAuthorizer, authorizer: Authorizer): ResourceType {
  if (type.group !== "rbac.authorization.k8s.io") return type;
  const rules = escalationRules(rbac, authorizer)[type.resource as "roles"];
  if (rules === undefined) return type;
  const { strategy } = type;
  return {
    ...type,
    strategy: {
      ...strategy,
      prepareForCreate(object: ApiObject, context: StrategyContext) {
        rules.prepareForCreate(object, context);
        strategy.prepareForCreate?.(object, context);
      },
      prepareForUpdate(object: ApiObject, old: ApiObject, context: StrategyContext) {
        rules.prepareForUpdate(object, old, context);
        strategy.prepareForUpdate?.(object, old, context);
      },
    },
  };
}

function decodeOptions(encoding: Encoding, body: Uint8Array | string): Json {
  if (encoding === "protobuf") return decodeProtobufOptions(typeof body === "string" ? Buffer.from(body) : body);
  const text = typeof body === "string" ? body : Buffer.from(body).toString("utf8");
  try {
    const notYaml = (message: string): Error => badRequest(message.replace(/^error converting YAML to JSON: /, ""));
    const value = encoding === "yaml" ? decodeYaml(text, notYaml).value : decodeJson(text).value;
    if (value !== null && !isObject(value)) throw new Error(notAnObject(value));
    return value;
  } catch (error) {
    if (error instanceof StatusError) throw error;
    throw badRequest(`couldn't get version/kind; json parse error: ${(error as Error).message}`);
  }
}

function decodeProtobufOptions(body: Uint8Array): Json {
  try {
    // Options have the version of the objects, which may be custom resources.
    return decodeProtobuf(body, (version, kind) => structOfApiVersion(version, kind) ?? structOfApiVersion("v1", kind));
  } catch (error) {
    throw error instanceof DecodeError ? badRequest(error.message) : error;
  }
}

/** Keeps what stored objects have from being assigned again. */
function reclaimAssigned(store: Store, type: ResourceType): void {
  const { reclaim } = type.strategy;
  if (reclaim === undefined) return;
  for (const { text } of store.collection(type.collection).list("")) reclaim(parseStored(type, text));
}
