// A server with the kinds to which the tests write.

import { isObject, type JsonObject } from "@kubewright/cel/json";
import type { Schema } from "@kubewright/cel/schema";
import { createTransport, type Transport } from "@kubewright/runtime";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { customResetFields } from "../../packages/apiserver/src/apply/reset-fields.ts";
import { excludeFields, type FieldFilter } from "../../packages/apiserver/src/apply/typed/field-set.ts";
import { customResourceType } from "../../packages/apiserver/src/apply/typed/object-type.ts";
import { typeOfSchema, type ValueType } from "../../packages/apiserver/src/apply/typed/value-type.ts";
import { codecOf } from "../../packages/apiserver/src/builtin/resources.ts";
import { configMaps, deployments, pods, services } from "./builtin-writes.ts";
import { modelsOf } from "./openapi.ts";
import type { Generator } from "./steps.ts";
import { widgetSchema, widgets } from "./widget-writes.ts";

/** A kind of the server, and what our functions need of it. */
export interface Kind {
  generator: Generator;
  path: string;
  apiVersion: string;
  kind: string;
  type: ValueType;
  schema: Schema;
  empty(): JsonObject;
  /** The second version, to which objects convert without changes. */
  second?: Kind;
  resetFields(subresource: string): (apiVersion: string) => FieldFilter | undefined;
  /** Fields of `spec` that the server assigns to new objects after it determined the owners. */
  assigned?: readonly string[];
  /** Adds the defaults of the schema; absent if only the server has them. */
  complete?(object: JsonObject): JsonObject;
}

const environment = new TestEnvironment();
let transport: Transport;
/** The type of scales. */
export let scaleType: ValueType;
/** The kinds by name. */
export const kinds = new Map<string, Kind>();

const group = "apply.example.com";

/** Sends a request and returns the body of the response. */
export async function request(
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  options: object = {},
): Promise<JsonObject> {
  return (await transport.request({ method, path, maxRetries: 0, ...options })).body as JsonObject;
}

/** Starts the server. */
export async function startServer(): Promise<void> {
  transport = createTransport(await environment.start());
  await request("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    body: {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `widgets.${group}` },
      spec: {
        group,
        scope: "Namespaced",
        names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
        versions: [
          ...["v1", "v2"].map((name) => ({
            name,
            served: true,
            storage: name === "v1",
            subresources: { status: {} },
            schema: { openAPIV3Schema: widgetSchema },
          })),
        ],
      },
    },
  });
  for (let attempt = 0; ; attempt++) {
    try {
      await request("GET", `/apis/${group}/v1/widgets`);
      break;
    } catch (error) {
      if (attempt > 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const widgetVersions = new Set([`${group}/v1`, `${group}/v2`]);
  const widget = (version: string): Kind => ({
    generator: widgets,
    path: `/apis/${group}/${version}/namespaces/default/widgets`,
    apiVersion: `${group}/${version}`,
    kind: "Widget",
    type: customResourceType(widgetSchema as unknown as Schema),
    schema: widgetSchema as unknown as Schema,
    empty: () => ({ apiVersion: `${group}/${version}`, kind: "Widget" }),
    resetFields: (subresource) => customResetFields(`${group}/${version}`, subresource, widgetVersions),
    complete: completeWidget,
  });
  kinds.set("Widget", { ...widget("v1"), second: widget("v2") });
  const core = modelsOf(await request("GET", "/openapi/v3/api/v1"));
  const apps = modelsOf(await request("GET", "/openapi/v3/apis/apps/v1"));
  const builtin = (
    generator: Generator,
    schema: Schema,
    apiVersion: string,
    kind: string,
    reset: Record<string, readonly (readonly string[])[]>,
    assigned: readonly string[] = [],
  ) => {
    const root = apiVersion === "v1" ? "/api/v1" : `/apis/${apiVersion}`;
    const [version = "", group = ""] = apiVersion.split("/").reverse();
    kinds.set(kind, {
      generator,
      schema,
      apiVersion,
      kind,
      path: `${root}/namespaces/default/${kind.toLowerCase()}s`,
      type: typeOfSchema(schema),
      empty: () => codecOf(group, version, kind).stored?.({ metadata: {} }) ?? { apiVersion, kind },
      resetFields: (subresource) => {
        const paths = reset[subresource];
        return () => paths && excludeFields(paths);
      },
      assigned,
    });
  };
  scaleType = typeOfSchema(apps("autoscaling", "v1", "Scale"));
  builtin(deployments, apps("apps", "v1", "Deployment"), "apps/v1", "Deployment", {
    "": [["status"]],
    status: [["spec"], ["metadata", "labels"]],
  });
  builtin(services, core("", "v1", "Service"), "v1", "Service", { "": [["status"]], status: [["spec"]] }, [
    "clusterIP",
    "clusterIPs",
    "ipFamilies",
    "ipFamilyPolicy",
  ]);
  builtin(configMaps, core("", "v1", "ConfigMap"), "v1", "ConfigMap", {});
  builtin(
    pods,
    core("", "v1", "Pod"),
    "v1",
    "Pod",
    {
      "": [["status"]],
      status: [["spec"], ["metadata", "deletionTimestamp"], ["metadata", "ownerReferences"]],
    },
    ["priority", "preemptionPolicy", "tolerations"],
  );
}

/** Stops the server. */
export async function stopServer(): Promise<void> {
  await transport?.close();
  await environment.stop();
}

function completeWidget(object: JsonObject): JsonObject {
  const spec = object.spec;
  if (!isObject(spec) || !Array.isArray(spec.two)) return object;
  const two = spec.two.map((item) =>
    isObject(item) && item.protocol === undefined ? { ...item, protocol: "TCP" } : item,
  );
  return { ...object, spec: { ...spec, two } };
}
