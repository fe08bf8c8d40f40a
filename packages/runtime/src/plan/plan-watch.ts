import type { KubernetesObject } from "../api/index.ts";
import type { RequestInfo } from "../inspect/request-info.ts";
import type { TransportRequest, TransportStream } from "../transport/transport.ts";
import { selection } from "./selected.ts";

/** A watch of a plan. It receives the planned writes, and nothing from the server. */
export class PlanWatch implements TransportStream {
  readonly info: RequestInfo;
  /** Whether it receives the metadata only. */
  readonly metadataOnly: boolean;
  readonly #selects: (object: KubernetesObject) => boolean;
  readonly #events: unknown[] = [];
  #wake: (() => void) | undefined;
  #isClosed = false;

  constructor(sent: TransportRequest, info: RequestInfo) {
    this.info = info;
    this.metadataOnly = sent.accept?.includes("as=PartialObjectMetadata") ?? false;
    this.#selects = selection(sent.query);
    sent.signal?.addEventListener("abort", () => void this.close(), { once: true });
  }

  /** Whether the reader has processed all events, and waits. */
  get isIdle(): boolean {
    return this.#isClosed || (this.#events.length === 0 && this.#wake !== undefined);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Passes a change on, if the watch selects the object. */
  changed(before: KubernetesObject | undefined, after: KubernetesObject | undefined): void {
    const [was, is] = [before, after].map((object) => object !== undefined && this.#selects(object));
    if (!was && !is) return;
    const object = (is ? after : { ...(before as KubernetesObject), ...versionOf(after) }) as KubernetesObject;
    this.#events.push({ type: !was ? "ADDED" : is ? "MODIFIED" : "DELETED", object: this.#inItsForm(object) });
    this.#wake?.();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown, void, undefined> {
    while (!this.#isClosed) {
      const event = this.#events.shift();
      if (event !== undefined) {
        yield event;
        continue;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }

  #inItsForm(object: KubernetesObject): KubernetesObject {
    const { group, version } = this.info;
    if (this.metadataOnly) {
      const { metadata } = object;
      return structuredClone({ apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata", metadata });
    }
    return structuredClone({ ...object, apiVersion: group === "" ? version : `${group}/${version}` });
  }
}

/** The version of an object that the selector doesn't select anymore. */
function versionOf(after: KubernetesObject | undefined): Partial<KubernetesObject> {
  return after?.metadata ? { metadata: after.metadata } : {};
}
