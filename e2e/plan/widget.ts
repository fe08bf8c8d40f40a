import { groupVersion, type Kind, type KubernetesObject, type ObjectMeta } from "@kubewright/runtime";

/** A kind for tests. */
export interface Widget extends KubernetesObject {
  metadata: ObjectMeta;
  spec: { color: string };
  status?: { color?: string };
}
export const Widget: Kind<Widget> = groupVersion("test.kubewright.dev", "v1").kind<Widget>("Widget");

const colored = { type: "object", properties: { color: { type: "string" } } };

/** The definition of the kind. */
export const widgetCRD = {
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
        schema: { openAPIV3Schema: { type: "object", properties: { spec: colored, status: colored } } },
        subresources: { status: {} },
      },
    ],
  },
} satisfies KubernetesObject & { spec: object };

/** Returns a Widget. */
export function widget(name: string, color: string): Widget {
  return {
    apiVersion: Widget.apiVersion,
    kind: Widget.kind,
    metadata: { name, namespace: "default" },
    spec: { color },
  };
}
