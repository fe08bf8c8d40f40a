import { isObject, type JsonObject } from "@kubewright/cel/json";
import { SystemClient, serverIdentity } from "../client/system-client.ts";
import { WorkQueue } from "../client/work-queue.ts";
import { timestamp } from "../model/metadata.ts";
import type { ApiObject, ResourceType } from "../model/resource.ts";
import { type Engine, stateOf } from "../registry/scope.ts";

const group = "flowcontrol.apiserver.k8s.io";

/** Writes into the status of FlowSchemas whether their PriorityLevelConfiguration exists. */
export class FlowSchemas {
  readonly #engine: Engine;
  readonly #client: SystemClient;
  readonly #type: ResourceType;
  readonly #queue: WorkQueue;

  /** @param engine - the server, which serves the kinds */
  constructor(engine: Engine) {
    this.#engine = engine;
    this.#type = engine.resource(group, "flowschemas") as ResourceType;
    const manager = "api-priority-and-fairness-config-consumer-v1";
    this.#client = new SystemClient(engine, { ...serverIdentity, manager });
    this.#queue = new WorkQueue(engine, (name) => this.#repair(name));
  }

  /**
   * Begins to follow both kinds.
   *
   * @returns a function that ends it
   */
  start(): () => void {
    const { store } = this.#engine;
    const collection = store.collection(this.#type.collection);
    const see = (name: string): void => {
      if (this.#missing(name) !== undefined) this.#queue.add(name);
    };
    const seeAll = (): void => {
      for (const { key } of collection.list("")) see(key);
    };
    seeAll();
    const levels = this.#levels().onChange(seeAll);
    const schemas = collection.follow((name) => see(name));
    return () => {
      levels();
      schemas();
    };
  }

  #levels(): ReturnType<Engine["store"]["collection"]> {
    const type = this.#engine.resource(group, "prioritylevelconfigurations") as ResourceType;
    return this.#engine.store.collection(type.collection);
  }

  /** Returns the condition that a FlowSchema should have; undefined if it has it, or if the FlowSchema is gone. */
  #missing(name: string): JsonObject | undefined {
    const entry = this.#engine.store.collection(this.#type.collection).get(name);
    if (entry === undefined) return undefined;
    const { spec, status } = stateOf(this.#type, entry) as ApiObject & { spec?: JsonObject; status?: JsonObject };
    const level = ((spec?.priorityLevelConfiguration ?? {}) as JsonObject).name as string;
    const exists = this.#levels().get(level) !== undefined;
    const about = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)}`;
    const wanted = exists
      ? { status: "False", reason: "Found", message: `${about} and it exists` }
      : { status: "True", reason: "NotFound", message: `${about} but there is no such object` };
    const conditions = Array.isArray(status?.conditions) ? status.conditions.filter(isObject) : [];
    const present = conditions.find(({ type }) => type === "Dangling");
    const isPresent = Object.entries(wanted).every(([key, value]) => present?.[key] === value);
    return isPresent ? undefined : { type: "Dangling", ...wanted };
  }

  async #repair(name: string): Promise<void> {
    const condition = this.#missing(name);
    if (condition === undefined) return;
    const status = { conditions: [{ ...condition, lastTransitionTime: timestamp(this.#engine.now()) }] };
    const applied = { apiVersion: `${group}/v1`, kind: "FlowSchema", metadata: { name }, status };
    await this.#client.apply({ type: this.#type, namespace: "", name }, applied, "status");
  }
}
