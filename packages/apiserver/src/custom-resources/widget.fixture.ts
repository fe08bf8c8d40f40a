import type { JsonObject } from "@kubewright/cel/json";

/** Returns the definition of Widgets in `example.com` with the given versions. */
export function widgetDefinition(versions: readonly JsonObject[]): JsonObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
      versions: [...versions],
    },
  };
}
