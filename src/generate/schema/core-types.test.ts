import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { coreTypeOf } from "./core-type-identity.ts";
import { coreKind, corePackageOf, coreTypeProblem, coreTypesVersion, loadCoreType } from "./core-types.ts";
import type { CorePackage } from "./core-types-data.ts";
import { createFlattener } from "./flatten.ts";
import { mergeAllOf } from "./merge.ts";
import { type JSONSchema, mapChildren } from "./model/json-schema.ts";
import { coreRef, coreRefParts } from "./model/known-types.ts";

const root = join(import.meta.dirname, "../../..");
const directory = join(root, "data/core-types", coreTypesVersion);
const files = readdirSync(directory).map((file) => JSON.parse(readFileSync(join(directory, file), "utf8")));
const packages = files.flatMap((file) => Object.entries<CorePackage>(file.packages));
const metaV1 = "k8s.io/apimachinery/pkg/apis/meta/v1";

const load = (ref: string): JSONSchema | undefined => {
  const parts = coreRefParts(ref);
  return parts && loadCoreType(parts.goPackage, parts.name);
};

describe("the tables of core types", () => {
  it("have the Kubernetes version of the runtime", () => {
    const named = readFileSync(join(root, "packages/runtime/src/api/kubernetes-version.ts"), "utf8");
    expect(named).toContain(`KUBERNETES_VERSION = "${coreTypesVersion}"`);
    expect(readdirSync(join(root, "data/core-types"))).toContain(coreTypesVersion);
    expect(new Set(files.map((file) => file.kubernetes))).toEqual(new Set([coreTypesVersion]));
  });

  it("contain every type that they refer to", () => {
    const missing = new Set<string>();
    let references = 0;
    const visit = (schema: JSONSchema): JSONSchema => {
      if (schema.$ref !== undefined) {
        references++;
        if (!load(schema.$ref)) missing.add(schema.$ref);
      }
      return mapChildren(schema, visit);
    };
    for (const [goPackage, { schemas }] of packages) {
      for (const name of Object.keys(schemas)) visit(loadCoreType(goPackage, name) as JSONSchema);
    }
    expect([...missing]).toEqual([]);
    expect(references).toBeGreaterThan(2500);
  });

  it("contain each package once", () => {
    expect(new Set(packages.map(([path]) => path)).size).toBe(packages.length);
    expect(packages.filter(([, { version }]) => version !== undefined).length).toBe(62);
  });

  it("contain metadata only for types with a schema", () => {
    for (const [path, { schemas, about }] of packages) {
      expect(
        Object.keys(about).filter((name) => !(name in schemas)),
        path,
      ).toEqual([]);
      for (const { list } of Object.values(about)) if (list !== undefined) expect(schemas).toHaveProperty([list]);
    }
  });
});

describe("loadCoreType", () => {
  it("returns a struct unflattened, with resolved references", () => {
    expect(loadCoreType("k8s.io/api/core/v1", "ContainerPort")).toMatchObject({
      type: "object",
      required: ["containerPort"],
      properties: {
        name: { type: "string" },
        containerPort: { type: "integer", format: "int32" },
        protocol: { $ref: coreRef("k8s.io/api/core/v1", "Protocol"), type: "string", default: "TCP" },
      },
    });
    expect(loadCoreType("k8s.io/api/core/v1", "Volume")?.allOf).toMatchObject([
      { $ref: coreRef("k8s.io/api/core/v1", "VolumeSource") },
    ]);
  });

  it("keeps the markers of lists and maps", () => {
    const { properties } = loadCoreType("k8s.io/api/core/v1", "PodSpec") as JSONSchema;
    expect(properties?.containers).toMatchObject({
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
    });
    expect(properties?.nodeSelector).toMatchObject({ "x-kubernetes-map-type": "atomic" });
    expect(loadCoreType(metaV1, "LabelSelector")).toMatchObject({ "x-kubernetes-map-type": "atomic" });
  });

  it("keeps the limits of conditions", () => {
    expect(loadCoreType(metaV1, "Condition")).toMatchObject({
      required: ["lastTransitionTime", "message", "reason", "status", "type"],
      properties: {
        type: { maxLength: 316 },
        status: { enum: ["True", "False", "Unknown"] },
        reason: { minLength: 1, maxLength: 1024 },
        observedGeneration: { minimum: 0, format: "int64" },
      },
    });
  });

  it("sets the type of a field with a named list or map type from any package", () => {
    const limits = loadCoreType("k8s.io/api/core/v1", "ResourceRequirements")?.properties?.limits;
    expect(limits).toMatchObject({ $ref: coreRef("k8s.io/api/core/v1", "ResourceList"), type: "object" });
  });

  it("returns the fixed schemas of known types", () => {
    expect(loadCoreType(metaV1, "ObjectMeta")).toEqual({ type: "object" });
    expect(loadCoreType(metaV1, "Time")).toEqual({ type: "string", format: "date-time" });
    expect(loadCoreType("k8s.io/apimachinery/pkg/util/intstr", "IntOrString")).toEqual({
      "x-kubernetes-int-or-string": true,
      anyOf: [{ type: "integer" }, { type: "string" }],
    });
  });

  it("keeps line breaks of descriptions", () => {
    const template = loadCoreType("k8s.io/api/core/v1", "PodTemplateSpec");
    expect(template?.properties?.metadata?.description).toMatch(/^Standard object's metadata\.\nMore info: https:/);
  });

  it("returns schemas that flatten to a complete pod template", () => {
    const ref = coreRef("k8s.io/api/core/v1", "PodTemplateSpec");
    const problems: string[] = [];
    const merged = mergeAllOf(createFlattener(load, () => {}).flattenType(ref), (problem) => problems.push(problem));
    let nodes = 0;
    const count = (schema: JSONSchema): JSONSchema => {
      nodes++;
      expect(schema.$ref).toBeUndefined();
      return mapChildren(schema, count);
    };
    count(merged);
    expect(problems).toEqual([]);
    // The schema that controller-gen writes has as many nodes.
    expect(nodes).toBe(1389);
    expect(merged.properties?.spec?.required).toEqual(["containers"]);
  });

  it("returns the same frozen object for each call", () => {
    const schema = loadCoreType("k8s.io/api/apps/v1", "Deployment") as JSONSchema;
    expect(loadCoreType("k8s.io/api/apps/v1", "Deployment")).toBe(schema);
    expect(Object.isFrozen(schema.properties?.spec)).toBe(true);
  });

  it.each([
    ["k8s.io/api/core/v1", "Pods"],
    ["k8s.io/api/core/v1", "toString"],
    ["k8s.io/api/core/v9", "Pod"],
    ["k8s.io/api/../../secrets/v1", "Pod"],
    ["example.com/core/v1", "Pod"],
  ])("returns undefined for %s.%s", (goPackage, name) => expect(loadCoreType(goPackage, name)).toBeUndefined());
});

describe("corePackageOf", () => {
  it.each([
    ["@kubewright/runtime/api/core/v1", "k8s.io/api/core/v1"],
    ["@kubewright/runtime/api/autoscaling/v2", "k8s.io/api/autoscaling/v2"],
    ["@kubewright/runtime/api/meta/v1", metaV1],
    ["@kubewright/runtime/api/apiextensions/v1", "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"],
    ["@kubewright/runtime/api", undefined],
    ["@kubewright/runtime", undefined],
    ["./api/core/v1", undefined],
  ])("returns for %s: %s", (specifier, goPackage) => expect(corePackageOf(specifier)).toBe(goPackage));
});

describe("coreKind", () => {
  it.each([
    ["core/v1", "Endpoints", "", "endpoints", "Namespaced"],
    ["core/v1", "Node", "", "nodes", "Cluster"],
    ["networking/v1", "Ingress", "networking.k8s.io", "ingresses", "Namespaced"],
    ["networking/v1", "NetworkPolicy", "networking.k8s.io", "networkpolicies", "Namespaced"],
    ["rbac/v1", "ClusterRole", "rbac.authorization.k8s.io", "clusterroles", "Cluster"],
    ["storage/v1", "StorageClass", "storage.k8s.io", "storageclasses", "Cluster"],
  ])("returns group and resource of %s %s", (path, kind, group, plural, scope) => {
    expect(coreKind(`k8s.io/api/${path}`, kind)).toMatchObject({ group, kind, resource: { plural, scope } });
  });

  it("returns subresources", () => {
    expect(coreKind("k8s.io/api/apps/v1", "Deployment")?.resource?.subresources).toEqual(["scale", "status"]);
  });

  it("returns no resource for kinds that aren't served", () => {
    expect(coreKind("k8s.io/api/apps/v1beta1", "Deployment")).toEqual({
      group: "apps",
      version: "v1beta1",
      kind: "Deployment",
    });
  });

  it("returns undefined for lists and other types", () => {
    expect(coreKind("k8s.io/api/core/v1", "PodList")).toBeUndefined();
    expect(coreKind("k8s.io/api/core/v1", "PodSpec")).toBeUndefined();
  });
});

it("coreTypeProblem returns a message for types that controller-gen rejects", () => {
  const jsonSchema = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1";
  expect(coreTypeProblem(jsonSchema, "JSONSchemaPropsOrBool")).toMatch(/without JSON tag/);
  expect(coreTypeProblem("k8s.io/api/core/v1", "PodSpec")).toBeUndefined();
});

describe("coreTypeOf", () => {
  const core = (name: string) => ({ goPackage: "k8s.io/api/core/v1", name });
  it.each([
    ["@kubewright/runtime/api/core/v1", "PodSpec", core("PodSpec")],
    ["@kubernetes/client-node", "V1PodTemplateSpec", core("PodTemplateSpec")],
    ["@kubernetes/client-node", "CoreV1Event", core("Event")],
    ["@kubernetes/client-node", "EventsV1Event", { goPackage: "k8s.io/api/events/v1", name: "Event" }],
    ["@kubernetes/client-node", "RbacV1Subject", { goPackage: "k8s.io/api/rbac/v1", name: "Subject" }],
    ["@kubernetes/client-node", "V1ObjectMeta", { goPackage: metaV1, name: "ObjectMeta" }],
    ["@kubernetes/client-node", "V2MetricSpec", { goPackage: "k8s.io/api/autoscaling/v2", name: "MetricSpec" }],
    ["@kubernetes/client-node", "KubeConfig", undefined],
    ["kubernetes-models/v1", "IPodTemplateSpec", core("PodTemplateSpec")],
    ["kubernetes-models/v1/PodSpec", "default", core("PodSpec")],
    ["kubernetes-models/apps/v1", "Deployment", { goPackage: "k8s.io/api/apps/v1", name: "Deployment" }],
    ["kubernetes-models/networking.k8s.io/v1", "IIPBlock", { goPackage: "k8s.io/api/networking/v1", name: "IPBlock" }],
    [
      "kubernetes-models/rbac.authorization.k8s.io/v1",
      "IPolicyRule",
      { goPackage: "k8s.io/api/rbac/v1", name: "PolicyRule" },
    ],
    ["@kubernetes-models/apimachinery/apis/meta/v1", "IObjectMeta", { goPackage: metaV1, name: "ObjectMeta" }],
    ["kubernetes-models/example.com/v1", "Deployment", undefined],
    ["./apps/v1.ts", "Deployment", undefined],
  ])("returns the package and type of %s %s", (specifier, name, expected) =>
    expect(coreTypeOf(specifier, name)).toEqual(expected),
  );
});
