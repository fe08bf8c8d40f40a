import type { KubernetesObject, ObjectMeta } from "../api/index.ts";
import { groupVersion, type Kind } from "../api/kind.ts";
import type { Client } from "../client/client.ts";
import { createOrUpdate } from "../controllerutil/create-or-update.ts";
import { setControllerReference } from "../controllerutil/owner-references.ts";
import { ignoreNotFound } from "../errors/predicates.ts";
import type { Context } from "../reconcile/context.ts";
import type { Reconciler } from "../reconcile/reconciler.ts";
import type { Request } from "../reconcile/request.ts";
import { eventually as becomesTrue } from "../testing/eventually.ts";

/** A kind for tests: each Widget gets a ConfigMap with its color, which its status contains, too. */
export interface Widget extends KubernetesObject {
  metadata: ObjectMeta;
  spec: { color: string };
  status?: { color?: string };
}
export const Widget: Kind<Widget> = groupVersion("test.kubewright.dev", "v1").kind<Widget>("Widget");

export interface ConfigMap extends KubernetesObject {
  data?: Record<string, string>;
}
export const ConfigMap: Kind<ConfigMap> = groupVersion("", "v1").kind<ConfigMap>("ConfigMap");

const object = (properties: object): object => ({ type: "object", properties });

export const widgetCRD: KubernetesObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.test.kubewright.dev" },
  spec: {
    group: "test.kubewright.dev",
    scope: "Namespaced",
    names: { kind: "Widget", listKind: "WidgetList", plural: "widgets", singular: "widget" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: object({
            spec: object({ color: { type: "string" } }),
            status: object({ color: { type: "string" } }),
          }),
        },
        subresources: { status: {} },
      },
    ],
  },
} as KubernetesObject;

export function widget(name: string, color: string, namespace = "default"): Widget {
  return { apiVersion: Widget.apiVersion, kind: Widget.kind, metadata: { name, namespace }, spec: { color } };
}

export class WidgetReconciler implements Reconciler {
  readonly reconciles: { name: string; reasons: string[] }[] = [];
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  async reconcile(ctx: Context, req: Request): Promise<void> {
    this.reconciles.push({
      name: req.name,
      reasons: ctx.reasons.map(({ type, kind }) => `${type} ${kind ?? ""}`.trim()),
    });
    const widget = await ignoreNotFound(this.#client.get(Widget, req));
    if (!widget || widget.metadata.deletionTimestamp) return;
    const child: ConfigMap = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: req.name, namespace: req.namespace },
    };
    await createOrUpdate(this.#client, child, (map) => {
      setControllerReference(widget, map);
      map.data = { color: widget.spec.color };
    });
    if (widget.status?.color === widget.spec.color) return;
    await this.#client.status.update({ ...widget, status: { color: widget.spec.color } });
  }
}

/** Waits for a condition like the tests of users, but with a longer timeout for servers on a busy machine. */
export async function eventually(check: () => unknown, milliseconds = 60_000): Promise<void> {
  await becomesTrue(check, { timeout: milliseconds });
}

export interface SecretObject extends KubernetesObject {
  data?: Record<string, string>;
  stringData?: Record<string, string>;
}
export const Secret: Kind<SecretObject> = groupVersion("", "v1").kind<SecretObject>("Secret");
