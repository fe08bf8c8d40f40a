import { createUnitTestServer, type UnitTestServer } from "@kubewright/apiserver";
import type { KubernetesObject } from "../api/index.ts";
import { groupOf, splitApiVersion } from "../api/kind.ts";
import { apiVersionOf, type RequestInfo } from "../inspect/request-info.ts";
import { inProcessTransport } from "../testing/in-process-transport.ts";
import type { Transport, TransportRequest, TransportResponse } from "../transport/transport.ts";
import type { PlanConversions } from "./plan-conversions.ts";

/** An object that a plan has changed. */
export interface OverlayState {
  readonly info: RequestInfo;
  readonly kind: string;
  /** The object in the cluster; undefined if it isn't there. */
  readonly stored: KubernetesObject | undefined;
  /** The state before the operator changed it: that of the cluster, or what a user has applied in the plan. */
  base: KubernetesObject | undefined;
  /** The planned state; undefined if the plan deletes the object. */
  planned: KubernetesObject | undefined;
}

/** The resource of definitions. */
export const definitionPlural = "customresourcedefinitions";
/** No server has as many revisions. The versions of planned objects are greater, and are never sent to the server. */
const firstVersion = 4_000_000_000_000_000;

/** Whether a resource version is one of a plan. */
export function isPlannedVersion(version: string | undefined): boolean {
  return version !== undefined && /^\d{16}$/.test(version) && Number(version) > firstVersion;
}

/** The planned objects of a cluster. They have the rules of the API server, of which a part runs in this process. */
export class Overlay {
  readonly #server: UnitTestServer;
  readonly #transport: Transport;
  readonly #states = new Map<string, OverlayState>();

  readonly #given: readonly KubernetesObject[];

  private constructor(server: UnitTestServer, given: readonly KubernetesObject[]) {
    this.#server = server;
    this.#given = given;
    this.#transport = inProcessTransport(async () => server.handle);
  }

  /**
   * Creates an overlay without objects.
   *
   * @param definitions - the definitions of custom resources. Other kinds have any fields
   * @param conversions - converts objects in place of webhooks
   */
  static async create(definitions: readonly KubernetesObject[], conversions: PlanConversions): Promise<Overlay> {
    const unknown = new Set(definitions.filter(hasNoConversion).map((definition) => kindOf(definition)));
    const server = await createUnitTestServer({
      crds: definitions.map(convertedHere) as never,
      convert: async (object, apiVersion) => {
        const given = object as unknown as KubernetesObject;
        const hasWebhook = !unknown.has(`${groupOf(given.apiVersion ?? "")}/${given.kind}`);
        return (await conversions.convert(given, apiVersion, hasWebhook)) as never;
      },
      objects: [],
      indexes: [],
      statusSubresource: [],
      revision: firstVersion,
    });
    return new Overlay(server, definitions);
  }

  /** The planned objects, in the order of their first changes. */
  get states(): Iterable<OverlayState> {
    return this.#states.values();
  }

  /** The definitions of custom resources: those that were given, and planned ones. */
  get definitions(): readonly KubernetesObject[] {
    const planned = [...this.states].filter(({ info }) => info.plural === definitionPlural);
    return [...this.#given, ...planned.flatMap((state) => state.planned ?? [])];
  }

  /** Whether a definition was given, or is planned. */
  isDefined({ group, plural }: Pick<RequestInfo, "group" | "plural">): boolean {
    const name = `${plural}.${group}`;
    return this.definitions.some(({ metadata }) => metadata?.name === name);
  }

  /** Returns a planned object, in any version of its resource. */
  state(info: RequestInfo): OverlayState | undefined {
    return this.#states.get(keyOf(info));
  }

  /** Whether the plan creates an object. */
  isPlanned(info: RequestInfo): boolean {
    const state = this.state(info);
    return state !== undefined && state.stored === undefined && state.planned !== undefined;
  }

  /**
   * Adds an object of the cluster, or one that isn't there.
   *
   * @param info - its resource and name
   * @param kind - its kind
   * @param stored - the object in the cluster
   */
  async add(info: RequestInfo, kind: string, stored: KubernetesObject | undefined): Promise<OverlayState> {
    const state: OverlayState = { info, kind, stored, base: stored, planned: stored };
    this.use(info, kind);
    if (stored) await this.#server.store(whole(stored, info, kind) as never);
    this.#states.set(keyOf(info), state);
    return state;
  }

  /** Sets the planned state that the server has answered. Returns it with its version. */
  async put(state: OverlayState, planned: KubernetesObject): Promise<KubernetesObject> {
    const object = structuredClone(whole(planned, state.info, state.kind));
    delete object.metadata?.resourceVersion;
    const resourceVersion = await this.#server.store(object as never);
    state.planned = { ...object, metadata: { ...object.metadata, resourceVersion } };
    return state.planned;
  }

  /** Removes an object. */
  remove(state: OverlayState): void {
    if (state.planned) this.#server.remove(whole(state.planned, state.info, state.kind) as never);
    state.planned = undefined;
  }

  /** Lets a kind without a definition be served. */
  use({ group, version, plural, namespace }: RequestInfo, kind: string): void {
    this.#server.resource({ group, version, kind, plural, scope: namespace ? "Namespaced" : "Cluster" });
  }

  /** Computes the response to a request. Its effects are in the state of the object afterwards. */
  async request(sent: TransportRequest): Promise<TransportResponse> {
    return this.#transport.request(sent);
  }

  /** Reads an object again after a request. */
  async refresh(state: OverlayState): Promise<void> {
    const path = objectPathOf(state.info);
    state.planned = await this.#transport.request({ method: "GET", path }).then(
      ({ body }) => body as KubernetesObject,
      () => undefined,
    );
  }
}

/** Returns the path of an object. */
export function objectPathOf({ group, version, namespace, plural, name }: RequestInfo): string {
  return `${collectionPathOf({ group, version, namespace, plural })}/${encodeURIComponent(name)}`;
}

/** Returns the path of the objects of a resource in a namespace. */
export function collectionPathOf(info: Pick<RequestInfo, "group" | "version" | "namespace" | "plural">): string {
  const { group, version, namespace, plural } = info;
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  return namespace ? `${root}/namespaces/${encodeURIComponent(namespace)}/${plural}` : `${root}/${plural}`;
}

/** Returns the resource of a namespace. */
export function namespaceOf(name: string): RequestInfo {
  return { group: "", version: "v1", namespace: "", plural: "namespaces", name, subresource: "" };
}

/** Returns the resource of the definition of custom resources. */
export function definitionOf({ group, plural }: Pick<RequestInfo, "group" | "plural">): RequestInfo {
  const name = `${plural}.${group}`;
  const definitions = { group: "apiextensions.k8s.io", version: "v1", plural: definitionPlural };
  return { ...definitions, namespace: "", name, subresource: "" };
}

function keyOf({ group, plural, namespace, name }: RequestInfo): string {
  return JSON.stringify([group, plural, namespace, name]);
}

function whole(object: KubernetesObject, info: RequestInfo, kind: string): KubernetesObject {
  return { ...object, apiVersion: object.apiVersion ?? apiVersionOf(info), kind: object.kind ?? kind };
}

type Definition = KubernetesObject & {
  spec?: { group?: string; names?: { kind?: string }; versions?: unknown[]; conversion?: { strategy?: string } };
};

function kindOf({ spec }: Definition): string {
  return `${spec?.group}/${spec?.names?.kind}`;
}

/** Whether a definition is one of a project, in which kustomize adds the conversion later. Servers set a default. */
function hasNoConversion({ spec }: Definition): boolean {
  return spec !== undefined && spec.conversion === undefined;
}

/** Returns a definition whose objects the plan converts, because it can't call webhooks. */
function convertedHere(definition: Definition): KubernetesObject {
  const { apiVersion, kind, metadata, spec } = definition;
  const { name, labels, annotations } = metadata ?? {};
  const [group] = splitApiVersion(apiVersion ?? "");
  if (group !== "apiextensions.k8s.io" || spec === undefined) return definition;
  const { conversion, versions = [] } = spec;
  const isConverted = conversion ? conversion.strategy === "Webhook" : versions.length > 1;
  const webhook = { clientConfig: { url: "https://plan.invalid/convert" }, conversionReviewVersions: ["v1"] };
  const own = { strategy: isConverted ? "Webhook" : "None", ...(isConverted ? { webhook } : {}) };
  return {
    apiVersion,
    kind,
    metadata: { name, labels, annotations },
    spec: { ...spec, conversion: own },
  } as Definition;
}
