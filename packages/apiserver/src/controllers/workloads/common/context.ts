import { Informer } from "../../../client/informer.ts";
import { timestamp } from "../../../model/metadata.ts";
import type { ApiObject, ResourceType } from "../../../model/resource.ts";
import type { Engine } from "../../../registry/scope.ts";
import { type LabelSelector, matchesLabels } from "../../../request/label-selector.ts";
import { controllerOf, type Pod, splitKey } from "./objects.ts";
import { PodCapacity } from "./pod-capacity.ts";

/** The parts that the simulated controllers share: the objects they watch, the indexes of Pods, and the time. */
export class WorkloadContext {
  readonly engine: Engine;
  readonly pods: Informer<Pod>;
  readonly capacity: PodCapacity;
  /** Finds the Pods of a controller by its UID, and with `orphan NAMESPACE` those without one. */
  readonly #podsByController: (key: string) => Pod[];
  readonly #podsByLabel: (key: string) => Pod[];
  readonly #podsByNamespace: (key: string) => Pod[];
  readonly #informers = new Map<string, Informer>();

  /** @param engine - the server */
  constructor(engine: Engine) {
    this.engine = engine;
    this.pods = this.informer<Pod>("", "pods");
    this.capacity = new PodCapacity(this.pods, this.informer("", "nodes"));
    this.#podsByController = this.pods.index((pod) => [
      controllerOf(pod)?.uid ?? `orphan ${pod.metadata.namespace as string}`,
    ]);
    this.#podsByLabel = this.pods.index(({ metadata }) =>
      Object.entries(metadata.labels ?? {}).map(([label, value]) => `${metadata.namespace}/${label}=${value}`),
    );
    this.#podsByNamespace = this.pods.index(({ metadata }) => [metadata.namespace as string]);
  }

  /**
   * Returns the one informer of a resource.
   *
   * @param group - the group
   * @param resource - the resource
   * @param name - the name of the objects to watch; all by default
   * @returns the informer
   */
  informer<T extends ApiObject>(group: string, resource: string, name = ""): Informer<T> {
    const key = `${group}/${resource}/${name}`;
    let informer = this.#informers.get(key);
    if (informer === undefined) {
      const type = this.engine.resource(group, resource) as ResourceType;
      informer = new Informer(this.engine, type, name === "" ? undefined : (one) => splitKey(one)[1] === name);
      this.#informers.set(key, informer);
    }
    return informer as unknown as Informer<T>;
  }

  /**
   * Starts all informers, once all controllers listen.
   *
   * @returns a function that stops them
   */
  start(): () => void {
    const stops = [...this.#informers.values()].map((informer) => informer.start());
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** The time in milliseconds. */
  now(): number {
    return this.engine.now();
  }

  /** The time in milliseconds since any moment, for durations. Setting the clock of the computer doesn't change it. */
  elapsed(): number {
    return this.engine.elapsed();
  }

  /** Returns the time as objects hold it. */
  time(): string {
    return timestamp(this.engine.now());
  }

  /** Returns the Pods that an owner controls, and, if wanted, those in its namespace that nothing controls. */
  podsOf({ metadata }: ApiObject, withOrphans: boolean): Pod[] {
    const owned = this.#podsByController(metadata.uid as string);
    return withOrphans ? [...owned, ...this.#podsByController(`orphan ${metadata.namespace}`)] : owned;
  }

  /** Returns the Pods in a namespace that meet a selector. */
  selectPods(namespace: string, selector: LabelSelector): Pod[] {
    const exact = selector.find(
      ({ operator, values }) => operator === "=" || (operator === "in" && values.length === 1),
    );
    const candidates =
      exact === undefined
        ? this.#podsByNamespace(namespace)
        : this.#podsByLabel(`${namespace}/${exact.key}=${exact.values[0]}`);
    return candidates.filter((pod) => matchesLabels(selector, pod.metadata.labels));
  }
}
