import type {
  FieldOwner,
  ObjectDetail,
  ObjectEvent,
  Objects,
  Timeline,
  TimelineEntry,
  Why,
} from "@kubewright/dashboard/protocol";
import type { KubeClient } from "../client/kube-client.ts";
import { fieldPaths } from "../store/changes.ts";
import { eventOf } from "../store/events.ts";
import type { ObjectStore } from "../store/objects.ts";
import type { Records } from "../store/records.ts";
import { summaryOf } from "../store/summary.ts";
import type { NamedObject, TargetResolver } from "../store/target-resolver.ts";
import { yamlOf } from "../store/yaml.ts";
import { objectNotFound } from "./object-actions.ts";

/** The parts of a session that {@link ObjectReader} reads. */
export interface ObjectReaderParts {
  readonly client: KubeClient;
  readonly objects: ObjectStore;
  readonly records: Records;
  readonly targets: TargetResolver;
}

/** Reads the objects of a session, and what happened to them. */
export class ObjectReader {
  readonly #parts: ObjectReaderParts;

  /** @param parts - what is read */
  constructor(parts: ObjectReaderParts) {
    this.#parts = parts;
  }

  /** Returns the summaries of the project's objects. */
  list(): Objects {
    return { objects: this.#parts.objects.summaries() };
  }

  /** @throws RequestError if the object isn't known */
  async why(named: NamedObject, limit: number): Promise<Why> {
    return this.#why(named, await this.#parts.targets.resolve(named), limit);
  }

  /** @throws RequestError if the object isn't known */
  async timeline(named: NamedObject, limit: number): Promise<Timeline> {
    const { objects, records, targets } = this.#parts;
    const target = await targets.resolve(named);
    const { object, reconciles } = this.#why(named, target, limit);
    const revisions = objects.find(target)?.revisions ?? [];
    const events = object.uid === "" ? [] : await this.#events(object.namespace, object.uid);
    const admissions = records.admissions(target, limit);
    const entries: TimelineEntry[] = [
      ...reconciles.map((reconcile): TimelineEntry => ({ type: "reconcile", time: reconcile.time, reconcile })),
      ...revisions.map((change): TimelineEntry => ({ type: "change", time: change.time, change })),
      ...events.map((event): TimelineEntry => ({ type: "event", time: event.lastTime, event })),
      ...admissions.map((admission): TimelineEntry => ({ type: "admission", time: admission.time, admission })),
    ];
    return { object, entries: entries.sort((a, b) => b.time.localeCompare(a.time)).slice(0, limit) };
  }

  /** @throws RequestError if the object isn't known */
  async object(named: NamedObject): Promise<ObjectDetail> {
    const { objects, targets } = this.#parts;
    const stored = objects.find(await targets.resolve(named));
    if (!stored) throw objectNotFound(named);
    const { object, revisions } = stored;
    const uid = object.metadata?.uid ?? "";
    return {
      summary: objects.summary(uid) ?? summaryOf(object, false),
      yaml: yamlOf(object),
      fields: (object.metadata?.managedFields ?? []).map(
        ({ manager = "", operation = "", subresource, time, fieldsV1 }): FieldOwner => ({
          manager,
          operation,
          ...(subresource ? { subresource } : {}),
          ...(time ? { time } : {}),
          paths: fieldPaths(fieldsV1),
        }),
      ),
      events: await this.#events(object.metadata?.namespace ?? "", uid),
      revisions: [...revisions].reverse(),
    };
  }

  #why(named: NamedObject, target: NamedObject, limit: number): Why {
    const reconciles = this.#parts.records.reconciles(target, limit);
    const stored = this.#parts.objects.find(target);
    if (!stored && reconciles.length === 0) throw objectNotFound(named);
    const { apiVersion = "", kind = target.kind, metadata = {} } = stored?.object ?? {};
    const { namespace = target.namespace ?? "", name = target.name, uid = "", resourceVersion = "" } = metadata;
    return {
      object: { apiVersion: apiVersion || (target.apiVersion ?? ""), kind, namespace, name, uid, resourceVersion },
      reconciles,
    };
  }

  async #events(namespace: string, uid: string): Promise<ObjectEvent[]> {
    const { client } = this.#parts;
    try {
      const resource = await client.resourceOf("v1", "Event");
      const query = { fieldSelector: `involvedObject.uid=${uid}` };
      const events = await client.list(resource, namespace || "default", query);
      return events.map(eventOf).sort((a, b) => b.lastTime.localeCompare(a.lastTime));
    } catch {
      // Events explain more, but nothing depends on them.
      return [];
    }
  }
}
