import {
  type Client,
  type Context,
  createOrUpdate,
  type EventRecorder,
  ignoreNotFound,
  type Kind,
  type Reconciler,
  type Request,
  type Result,
  setControllerReference,
} from "@kubewright/runtime";
import { Secret } from "@kubewright/runtime/api/core/v1";
import { ConfigMap, Widget } from "../../../packages/runtime/src/manager/widget.fixture.ts";
import { numberOf, requeueAfter, soakLabel } from "./protocol.ts";

/**
 * Creates a ConfigMap with the color of each Widget. For every tenth Widget, also creates an event, and a Secret whose label
 * moves it in and out of the cache's selector. Deletes both when the Widget is deleted, because the test servers have no
 * garbage collector.
 */
export class WidgetReconciler implements Reconciler {
  reconciles = 0;
  readonly #client: Client;
  readonly #events: EventRecorder;

  constructor(client: Client, events: EventRecorder) {
    this.#client = client;
    this.#events = events;
  }

  async reconcile(_ctx: Context, req: Request): Promise<Result | undefined> {
    this.reconciles++;
    const client = this.#client;
    const isTenth = numberOf(req.name) % 10 === 0;
    const widget = await ignoreNotFound(client.get(Widget, req));
    if (!widget) {
      if (await ignoreNotFound(client.get(ConfigMap, req))) await this.#delete(ConfigMap, req);
      if (isTenth) await this.#delete(Secret, req);
      return undefined;
    }
    const { color } = widget.spec;
    const child: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { ...req } };
    await createOrUpdate(client, child, (map) => {
      setControllerReference(widget, map);
      map.metadata = { ...map.metadata, labels: { [soakLabel]: "yes" } };
      map.data = { color };
    });
    if (isTenth && widget.status?.color !== color) {
      const labels = { [soakLabel]: numberOf(color) % 2 === 0 ? "yes" : "no" };
      const secret: Secret = { apiVersion: "v1", kind: "Secret", metadata: { ...req, labels } };
      await client.apply(secret, { fieldOwner: "soak" });
      this.#events.event(widget, "Normal", "Painted", `Painted the Widget ${color}`);
    }
    if (widget.status?.color !== color) await client.status.update({ ...widget, status: { color } });
    const after = requeueAfter(req.name);
    return after === undefined ? undefined : { requeueAfter: after };
  }

  async #delete(kind: Kind, req: Request): Promise<void> {
    await ignoreNotFound(this.#client.delete(kind, req));
  }
}
