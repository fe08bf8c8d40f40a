// The values of the chart: the single source of values.yaml and values.schema.json.

import { yamlOf } from "../../yaml/plain-documents.ts";
import type { Value } from "../../yaml/plain-values.ts";
import type { Ports } from "./manager.ts";
import type { Monitoring } from "./monitoring.ts";
import type { Switch } from "./switches.ts";

/** A value, or a section of them. */
export interface Field {
  readonly key: string;
  /** Lines of the comment in values.yaml, for users who install the chart. */
  readonly comment: readonly string[];
  readonly value?: Value;
  readonly schema?: Schema;
  readonly fields?: readonly Field[];
}

type Schema = Readonly<Record<string, unknown>>;

/** The properties of a project that determine its values. */
export interface ValuesInput {
  readonly manager: Readonly<Record<string, Value>>;
  readonly switches: readonly Switch[];
  readonly ports: Ports;
  readonly namespaced: boolean;
  readonly hasCrds: boolean;
  readonly hasHelperRoles: boolean;
  readonly monitoring: Monitoring;
  /** Whether another chart installs the CRDs. */
  readonly crdChart: boolean;
}

const text: Schema = { type: "string" };
const bool: Schema = { type: "boolean" };
const object: Schema = { type: "object" };
const texts: Schema = { type: "object", additionalProperties: { type: "string" } };
const list = (items: Schema): Schema => ({ type: "array", items });
const port: Schema = { type: "integer", minimum: 1, maximum: 65535 };
const count: Schema = { type: "integer", minimum: 0 };
const named: Schema = { type: "object", required: ["name"], properties: { name: { type: "string", minLength: 1 } } };
const quantities: Schema = { type: "object", additionalProperties: { type: ["string", "number"] } };

/** The fields of the manager's Deployment that are values, in the order of values.yaml. */
const ofManager: readonly (readonly [key: string, schema: Schema, ...comment: string[]])[] = [
  ["replicas", count, "Number of replicas. With leader election and without sharding, only one of them is active."],
  [
    "args",
    list(text),
    "Flags for the manager. They may contain templates, such as {{ .Release.Namespace }}.",
    "Flags with ports (metrics, probes, webhooks) have separate values.",
  ],
  ["env", list(named), "Environment variables of the container."],
  [
    "envOverrides",
    { type: "object", additionalProperties: { type: ["string", "number", "boolean"] } },
    "Environment variables by name, for --set manager.envOverrides.NAME=value. They override env.",
  ],
  ["imagePullSecrets", list(named), "Secrets for pulling the image, such as: - name: registry-key"],
  ["podSecurityContext", object, "Security context of the Pod."],
  ["securityContext", object, "Security context of the container."],
  [
    "resources",
    {
      type: "object",
      properties: { limits: quantities, requests: quantities, claims: list(named) },
      additionalProperties: false,
    },
    "Node limits its heap to half of the memory limit (at least 259 MiB). Set at least 320Mi.",
  ],
  ["affinity", object, "Scheduling constraints of the Pods."],
  ["nodeSelector", texts],
  ["tolerations", list(object)],
  ["topologySpreadConstraints", list(object)],
  ["strategy", object, "Update strategy of the Deployment. If empty, the Kubernetes default applies."],
  ["priorityClassName", text],
  ["terminationGracePeriodSeconds", count, "Time in seconds that the manager has to shut down."],
  ["extraVolumes", list(named), "Additional volumes and volume mounts."],
  ["extraVolumeMounts", list({ type: "object", required: ["name", "mountPath"] })],
];

const image: readonly (readonly [key: string, schema: Schema, ...comment: string[]])[] = [
  [
    "repository",
    { type: "string", minLength: 1 },
    "Repository without tag. If it contains a digest (name@sha256:…), the tag is ignored.",
  ],
  ["tag", text, "If empty, the appVersion of the chart applies."],
  [
    "pullPolicy",
    { enum: ["", "Always", "IfNotPresent", "Never"] },
    "If empty, the Kubernetes default applies: Always for the tag latest, otherwise IfNotPresent.",
  ],
];

/** Returns the values of a project's chart. */
export function fieldsFor(input: ValuesInput): Field[] {
  const { switches, ports, manager, monitoring } = input;
  const section = (key: string, comment: string, fields: readonly (Field | undefined)[]): Field[] => {
    const some = fields.filter((field) => field !== undefined);
    return some.length === 0 ? [] : [{ key, comment: [comment], fields: some }];
  };
  const field = (key: string, value: Value, schema: Schema, ...comment: string[]): Field => ({
    key,
    comment,
    value,
    schema,
  });
  const toggle = (value: string, ...comment: string[]): Field | undefined => {
    const match = switches.find((each) => each.value === value);
    return match === undefined ? undefined : field(value.split(".")[1] ?? "", match.on, bool, ...comment);
  };
  const installed = (key: string, comment: string, value: boolean | undefined): Field[] =>
    value === undefined ? [] : section(key, comment, [field("enabled", value, bool)]);
  const portField = (value: number | undefined) => (value === undefined ? undefined : field("port", value, port));
  const fromTable = (table: typeof ofManager, values: Readonly<Record<string, Value>>): Field[] =>
    table.flatMap(([key, schema, ...comment]) => {
      const value = values[key];
      return value === undefined ? [] : [field(key, value, schema, ...comment)];
    });
  return [
    field("nameOverride", "", text, "Replaces the name of the chart in object names."),
    field(
      "fullnameOverride",
      "",
      text,
      "Prefix of all object names. If empty, it is the name of the release and the chart.",
    ),
    ...section("manager", "The Deployment of the manager.", [
      field("enabled", true, bool, "Install the manager. If false, only CRDs and RBAC are installed."),
      ...section(
        "image",
        "The image of the manager.",
        fromTable(image, manager.image as Readonly<Record<string, Value>>),
      ),
      ...fromTable(ofManager, manager),
      ...section("healthProbe", "The health and readiness probes.", [portField(ports.health)]),
      field("labels", {}, texts, "Additional labels and annotations of the Deployment."),
      field("annotations", {}, texts),
      ...section("pod", "Additional labels and annotations of the Pods.", [
        field("labels", {}, texts),
        field("annotations", {}, texts),
      ]),
    ]),
    ...section("rbac", "RBAC permissions.", [
      input.namespaced
        ? field(
            "namespaced",
            true,
            bool,
            "If true, Roles in the release namespace. If false, ClusterRoles, to watch other namespaces too.",
          )
        : field(
            "namespaced",
            false,
            { enum: [false] },
            "The manager watches all namespaces. To change this, run: scaffold edit --namespaced",
          ),
      ...(input.hasHelperRoles
        ? section("helpers", "Roles for users of the custom resources: admin, editor, viewer.", [
            field("enabled", true, bool),
          ])
        : []),
    ]),
    ...section("serviceAccount", "The service account of the manager.", [
      field("enabled", true, bool, "Create a service account. If false, set the name of an existing one."),
      field("name", "", text, "Required if enabled is false, ignored otherwise."),
      field("labels", {}, texts),
      field("annotations", {}, texts, "Annotations, such as those for IAM roles of a cloud provider."),
    ]),
    ...(input.hasCrds
      ? section("crd", "CustomResourceDefinitions of the project.", [
          input.crdChart
            ? field(
                "enabled",
                false,
                bool,
                "Install the CRDs with the release. Their own chart installs them by default.",
              )
            : field("enabled", true, bool, "Install the CRDs with the release."),
          field("keep", true, bool, "Keep the CRDs and all custom resources when the release is uninstalled."),
        ])
      : []),
    ...section("metrics", "The metrics of the manager.", [
      toggle("metrics.enabled"),
      portField(ports.metrics),
      toggle(
        "metrics.secure",
        "Serve metrics over HTTPS with authentication and authorization. If false, over HTTP without them.",
      ),
      toggle(
        "metrics.certManager",
        "Use a certificate of cert-manager, which Prometheus verifies. Requires certManager.enabled.",
      ),
      toggle(
        "metrics.certificate",
        "Use a certificate that Prometheus verifies: the generated webhook certificate, or one from a Secret.",
      ),
    ]),
    ...section("webhook", "The webhooks.", [toggle("webhook.enabled"), portField(ports.webhook)]),
    ...section("certManager", "Certificates of cert-manager. Requires cert-manager in the cluster.", [
      toggle("certManager.enabled", "Requires webhook.enabled."),
    ]),
    ...section("prometheus", "Requires the Prometheus Operator in the cluster.", [
      toggle("prometheus.enabled", "A ServiceMonitor. Requires metrics.enabled."),
      ...installed("rules", "The alerts, as a PrometheusRule.", monitoring.rules),
      ...installed("dashboard", "The dashboard, as a ConfigMap for the sidecar of Grafana.", monitoring.dashboard),
    ]),
    ...section("networkPolicy", "Network policies. For the required labels of namespaces, see config/network-policy.", [
      toggle("networkPolicy.enabled"),
    ]),
    ...section("sharding", "Divides the objects between the replicas.", [
      toggle(
        "sharding.enabled",
        "Set manager.replicas to at least 2, and manager.terminationGracePeriodSeconds to at least 45.",
      ),
    ]),
  ];
}

/**
 * Returns the values of the chart with the CRDs.
 *
 * @param used the texts of its templates, which determine the values
 */
export function crdFieldsFor({
  switches,
  projectName,
  used,
}: {
  readonly switches: readonly Switch[];
  readonly projectName: string;
  readonly used: string;
}): Field[] {
  const toggles = switches.filter(({ value }) => used.includes(`.Values.${value}`));
  const keep = "Keep the CRDs and all custom resources when the release is uninstalled.";
  const prefix = [
    "Prefix of the names of the operator's objects: webhooks convert between the versions of the CRDs.",
    "It is the fullnameOverride of the operator's chart, or the name of its release. Install both in the same namespace.",
  ];
  return [
    {
      key: "crd",
      comment: ["CustomResourceDefinitions of the project."],
      fields: [{ key: "keep", comment: [keep], value: true, schema: bool }],
    },
    ...(used.includes("-crds.resourceName")
      ? [
          {
            key: "operator",
            comment: ["The release of the operator."],
            fields: [{ key: "fullname", comment: prefix, value: projectName, schema: { ...text, minLength: 1 } }],
          },
        ]
      : []),
    ...toggles.map(({ value, on }) => ({
      key: value.split(".")[0] ?? "",
      comment: ["The same value as in the chart of the operator."],
      fields: [{ key: value.split(".")[1] ?? "", comment: [], value: on, schema: bool }],
    })),
  ];
}

/** Returns the text of values.yaml. */
export function valuesYaml(fields: readonly Field[]): string {
  return `${fields.map((field) => linesOf(field, 0).join("\n")).join("\n\n")}\n`;
}

function linesOf({ key, comment, value, fields }: Field, indent: number): string[] {
  const at = " ".repeat(indent);
  const comments = comment.map((line) => `${at}# ${line}`);
  if (fields !== undefined)
    return [...comments, `${at}${key}:`, ...fields.flatMap((field) => linesOf(field, indent + 2))];
  const yaml = yamlOf({ [key]: value ?? null }).split("\n");
  return [...comments, ...yaml.map((line) => (line === "" ? line : `${at}${line}`))];
}

/** Returns the text of values.schema.json. Helm rejects unknown values and values of the wrong type. */
export function valuesSchema(fields: readonly Field[], title: string): string {
  const root = schemaOf({ key: "", comment: [], fields });
  const schema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    title,
    ...root,
    // Helm passes the global values of a parent chart to its subcharts.
    properties: { ...(root.properties as object), global: { type: "object" } },
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

function schemaOf({ comment, schema, fields }: Field): Schema {
  const description = comment.length === 0 ? {} : { description: comment.join(" ") };
  if (fields === undefined) return { ...description, ...schema };
  return {
    ...description,
    type: "object",
    additionalProperties: false,
    required: fields.map(({ key }) => key),
    properties: Object.fromEntries(fields.map((field) => [field.key, schemaOf(field)])),
  };
}
