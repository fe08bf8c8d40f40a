import { cloneJson, equalJson, type JsonObject } from "@kubewright/cel/json";
import type { Informer } from "../../../client/informer.ts";
import { SystemClient } from "../../../client/system-client.ts";
import { WorkQueue } from "../../../client/work-queue.ts";
import type { ApiObject } from "../../../model/resource.ts";
import { type LabelSelector, matchesLabels } from "../../../request/label-selector.ts";
import { selectorOfObject } from "../../../request/selector-object.ts";
import type { WorkloadContext } from "../common/context.ts";
import { keyOf, type Pod } from "../common/objects.ts";
import { isNamespaceTerminating, isReady } from "../common/pods.ts";
import { type EndpointSlice, manager, managerLabel, planSlices, serviceLabel } from "./slices.ts";
import { subsetsOf } from "./subsets.ts";
import { headlessLabel, isEndpoint, isHeadless, type Service, TriggerTimes, triggerAnnotation } from "./types.ts";

const endpointsManagerLabel = "endpoints.kubernetes.io/managed-by";
const truncatedAnnotation = "endpoints.kubernetes.io/over-capacity";

/** Keeps the EndpointSlices and the Endpoints of Services with a selector. */
export class EndpointsController {
  readonly #context: WorkloadContext;
  readonly #slicesClient: SystemClient;
  readonly #endpointsClient: SystemClient;
  readonly #services: Informer<Service>;
  readonly #servicesByNamespace: (namespace: string) => Service[];
  readonly #slices: Informer<EndpointSlice>;
  readonly #slicesByService: (key: string) => EndpointSlice[];
  readonly #endpoints: Informer<ApiObject>;
  readonly #queue: WorkQueue;
  readonly #triggers = new TriggerTimes();

  /** @param context - what the controllers share */
  constructor(context: WorkloadContext) {
    const { engine } = context;
    this.#context = context;
    this.#slicesClient = new SystemClient(engine, "endpointslice-controller");
    this.#endpointsClient = new SystemClient(engine, "endpoint-controller");
    this.#queue = new WorkQueue(engine, (key) => this.#sync(key));
    this.#services = context.informer<Service>("", "services");
    this.#slices = context.informer<EndpointSlice>("discovery.k8s.io", "endpointslices");
    this.#endpoints = context.informer("", "endpoints");
    this.#servicesByNamespace = this.#services.index(({ metadata }) => [metadata.namespace as string]);
    this.#slicesByService = this.#slices.index(({ metadata }) =>
      metadata.labels?.[managerLabel] === manager ? [`${metadata.namespace}/${metadata.labels[serviceLabel]}`] : [],
    );
    this.#services.onChange((service, old) => this.#queue.add(keyOf((service ?? old) as Service)));
    this.#slices.onChange((slice, old) => {
      const { metadata } = (slice ?? old) as EndpointSlice;
      const service = metadata.labels?.[managerLabel] === manager ? metadata.labels[serviceLabel] : undefined;
      if (service !== undefined) this.#queue.add(`${metadata.namespace}/${service}`);
    });
    this.#endpoints.onChange((endpoints, old) => {
      const key = keyOf((endpoints ?? old) as ApiObject);
      if (this.#services.byKey(key) !== undefined) this.#queue.add(key);
    });
    context.pods.onChange((pod, old) => this.#podChanged(pod, old));
  }

  #podChanged(pod: Pod | undefined, old: Pod | undefined): void {
    if (equalJson(relevant(pod), relevant(old))) return;
    for (const service of this.#servicesByNamespace((pod ?? old)?.metadata.namespace as string)) {
      const selector = selectorOf(service);
      if (selector === undefined) continue;
      const selects = (one: Pod | undefined): boolean =>
        one !== undefined && matchesLabels(selector, one.metadata.labels);
      if (selects(pod) || selects(old)) this.#queue.add(keyOf(service));
    }
  }

  async #sync(key: string): Promise<void> {
    const service = this.#services.byKey(key);
    if (service === undefined) {
      this.#triggers.forget(key);
      return this.#removeEndpoints(key);
    }
    const selector = selectorOf(service);
    if (selector === undefined || service.metadata.deletionTimestamp !== undefined) return;
    const pods = this.#context.selectPods(service.metadata.namespace as string, selector);
    const trigger = this.#triggers.next(key, service, pods);
    try {
      await this.#syncSlices(key, service, pods, trigger);
      await this.#syncEndpoints(key, service, pods, trigger);
    } catch (error) {
      if (!isNamespaceTerminating(error)) throw error;
    }
  }

  async #syncSlices(key: string, service: Service, pods: readonly Pod[], trigger: string | undefined): Promise<void> {
    const present = this.#slicesByService(key).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const { create, update, remove } = planSlices(service, pods, present);
    const idOf = ({ metadata }: EndpointSlice) => ({
      type: this.#slices.type,
      namespace: metadata.namespace as string,
      name: metadata.name as string,
    });
    for (const slice of create) {
      setTrigger(slice, trigger);
      await this.#slicesClient.create(this.#slices.type, slice);
    }
    for (const slice of update) {
      await this.#slicesClient.update(idOf(slice), (object) => {
        object.endpoints = cloneJson(slice.endpoints);
        object.ports = cloneJson(slice.ports);
        object.metadata.labels = { ...slice.metadata.labels };
        setTrigger(object, trigger);
      });
    }
    for (const slice of remove) await this.#slicesClient.delete(idOf(slice), slice.metadata.uid as string);
  }

  async #syncEndpoints(
    key: string,
    service: Service,
    pods: readonly Pod[],
    trigger: string | undefined,
  ): Promise<void> {
    const { namespace, name } = service.metadata as { namespace: string; name: string };
    const { subsets, truncated } = subsetsOf(service, pods);
    const { [headlessLabel]: _headless, ...own } = service.metadata.labels ?? {};
    const labels = {
      ...own,
      [endpointsManagerLabel]: "endpoint-controller",
      ...(isHeadless(service) ? { [headlessLabel]: "" } : {}),
    };
    const present = this.#endpoints.byKey(key);
    if (present !== undefined) {
      const same = equalJson(present.subsets ?? [], subsets) && equalJson(present.metadata.labels ?? {}, labels);
      if (same) return;
    }
    const set = (object: ApiObject): void => {
      object.metadata.labels = labels;
      setAnnotation(object, truncatedAnnotation, truncated ? "truncated" : undefined);
      setTrigger(object, trigger);
      if (subsets.length > 0) object.subsets = subsets as JsonObject[];
      else delete object.subsets;
    };
    if (present !== undefined) {
      await this.#endpointsClient.update({ type: this.#endpoints.type, namespace, name }, set);
      return;
    }
    const created: ApiObject = { apiVersion: "v1", kind: "Endpoints", metadata: { name, namespace } };
    set(created);
    await this.#endpointsClient.create(this.#endpoints.type, created);
  }

  async #removeEndpoints(key: string): Promise<void> {
    const present = this.#endpoints.byKey(key);
    if (present?.metadata.labels?.[endpointsManagerLabel] === undefined) return;
    const { namespace, name, uid } = present.metadata as { namespace: string; name: string; uid: string };
    await this.#endpointsClient.delete({ type: this.#endpoints.type, namespace, name }, uid);
  }
}

/** Returns the state of a Pod that endpoints show. */
function relevant(pod: Pod | undefined): JsonObject | null {
  if (pod === undefined || !isEndpoint(pod, true)) return null;
  const { labels, deletionTimestamp } = pod.metadata;
  return { labels, ip: pod.status?.podIP, ready: isReady(pod), deleting: deletionTimestamp !== undefined };
}

function selectorOf({ spec }: Service): LabelSelector | undefined {
  if (spec.selector === undefined || spec.type === "ExternalName") return undefined;
  return selectorOfObject({ matchLabels: spec.selector });
}

function setTrigger(object: ApiObject, trigger: string | undefined): void {
  setAnnotation(object, triggerAnnotation, trigger);
}

function setAnnotation({ metadata }: ApiObject, annotation: string, value: string | undefined): void {
  const { [annotation]: _before, ...others } = metadata.annotations ?? {};
  const annotations = value === undefined ? others : { ...others, [annotation]: value };
  if (Object.keys(annotations).length > 0) metadata.annotations = annotations;
  else delete metadata.annotations;
}
