// The values of the chart, declared once: values.yaml and values.schema.json are both made of this.
import type { Value } from "../kustomize/build/values.ts";
import { yamlOf } from "../kustomize/build/yaml.ts";
import type { Ports } from "./manager.ts";
import type { Switch } from "./switches.ts";

/** A value, or a section of them. */
export interface Field {
  readonly key: string;
  /** For the people who install the chart; a line of the file each. */
  readonly comment: readonly string[];
  readonly value?: Value;
  readonly schema?: Schema;
  readonly fields?: readonly Field[];
}

type Schema = Readonly<Record<string, unknown>>;

/** What the values of a project depend on. */
export interface ValuesInput {
  readonly manager: Readonly<Record<string, Value>>;
  readonly switches: readonly Switch[];
  readonly ports: Ports;
  readonly namespaced: boolean;
  readonly hasCrds: boolean;
  readonly hasHelperRoles: boolean;
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

/** What of the manager's Deployment is a value, in the order of the file. */
const ofManager: readonly (readonly [key: string, schema: Schema, ...comment: string[]])[] = [
  ["replicas", count, "How many run; one of them leads, the others wait."],
  [
    "args",
    list(text),
    "Flags of the manager; may hold templates, such as {{ .Release.Namespace }}.",
    "Those with ports (metrics, probes, webhooks) have values of their own.",
  ],
  ["env", list(named), "Environment, as a container has it."],
  [
    "envOverrides",
    { type: "object", additionalProperties: { type: ["string", "number", "boolean"] } },
    "Plain values by name, for --set manager.envOverrides.NAME=value; they go before those of env.",
  ],
  ["imagePullSecrets", list(named), "Secrets that the image is pulled with: - name: registry-key"],
  ["podSecurityContext", object, "Security of the Pod and …"],
  ["securityContext", object, "… of the container."],
  [
    "resources",
    {
      type: "object",
      properties: { limits: quantities, requests: quantities, claims: list(named) },
      additionalProperties: false,
    },
    "Node's heap ends at half of the memory limit, at 259 MiB at least: less than 320Mi is too little for it.",
  ],
  ["affinity", object, "Where it runs."],
  ["nodeSelector", texts],
  ["tolerations", list(object)],
  ["topologySpreadConstraints", list(object)],
  ["strategy", object, "How the Deployment replaces Pods; empty for Kubernetes' own way."],
  ["priorityClassName", text],
  ["terminationGracePeriodSeconds", count, "How long it may take to end, in seconds."],
  ["extraVolumes", list(named), "Further volumes, and where they are mounted."],
  ["extraVolumeMounts", list({ type: "object", required: ["name", "mountPath"] })],
];

const image: readonly (readonly [key: string, schema: Schema, ...comment: string[]])[] = [
  [
    "repository",
    { type: "string", minLength: 1 },
    "Without tag; with a digest (name@sha256:…) the tag is of no account.",
  ],
  ["tag", text, "Empty for the chart's appVersion."],
  [
    "pullPolicy",
    { enum: ["", "Always", "IfNotPresent", "Never"] },
    "Empty for Kubernetes' own way: Always for the tag latest.",
  ],
];

/** The values that a project's chart has. */
export function fieldsFor(input: ValuesInput): Field[] {
  const { switches, ports, manager } = input;
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
    const found = switches.find((each) => each.value === value);
    return found === undefined ? undefined : field(value.split(".")[1] ?? "", found.on, bool, ...comment);
  };
  const portField = (value: number | undefined) => (value === undefined ? undefined : field("port", value, port));
  const fromTable = (table: typeof ofManager, values: Readonly<Record<string, Value>>): Field[] =>
    table.flatMap(([key, schema, ...comment]) => {
      const value = values[key];
      return value === undefined ? [] : [field(key, value, schema, ...comment)];
    });
  return [
    field("nameOverride", "", text, "Stands for the chart's name in the names of objects."),
    field(
      "fullnameOverride",
      "",
      text,
      "What the names of all objects begin with; the release's and the chart's name if empty.",
    ),
    ...section("manager", "The Deployment of the manager.", [
      field("enabled", true, bool, "Without it: CRDs and rights alone."),
      ...section("image", "What runs.", fromTable(image, manager.image as Readonly<Record<string, Value>>)),
      ...fromTable(ofManager, manager),
      ...section("healthProbe", "Where the probes ask.", [portField(ports.health)]),
      field("labels", {}, texts, "Further labels and annotations of the Deployment …"),
      field("annotations", {}, texts),
      ...section("pod", "… and of its Pods.", [field("labels", {}, texts), field("annotations", {}, texts)]),
    ]),
    ...section("rbac", "Rights.", [
      input.namespaced
        ? field(
            "namespaced",
            true,
            bool,
            "Roles in the release's namespace; false: ClusterRoles, for a manager that watches others too.",
          )
        : field(
            "namespaced",
            false,
            { enum: [false] },
            "The manager watches all namespaces; scaffold edit --namespaced changes that.",
          ),
      ...(input.hasHelperRoles
        ? section("helpers", "Roles for the people who work with the project's kinds: admin, editor, viewer.", [
            field("enabled", true, bool),
          ])
        : []),
    ]),
    ...section("serviceAccount", "Who the manager is.", [
      field("enabled", true, bool, "Make an account; false: name one that exists."),
      field("name", "", text, "Needed when enabled is false, of no account otherwise."),
      field("labels", {}, texts),
      field("annotations", {}, texts, "What clouds give rights by."),
    ]),
    ...(input.hasCrds
      ? section("crd", "Definitions of the project's kinds.", [
          field("enabled", true, bool, "Install them with the release."),
          field("keep", true, bool, "Leave them, and all objects of the kinds, when the release is uninstalled."),
        ])
      : []),
    ...section("metrics", "The manager's metrics.", [
      toggle("metrics.enabled"),
      portField(ports.metrics),
      toggle("metrics.secure", "HTTPS for those who may (a token is asked for); false: HTTP for everybody."),
      toggle(
        "metrics.certManager",
        "With a certificate of cert-manager, which Prometheus then checks; needs certManager.enabled.",
      ),
      toggle(
        "metrics.certificate",
        "With a certificate that Prometheus checks: the one that the manager makes for the webhooks, or that of a Secret.",
      ),
    ]),
    ...section("webhook", "The webhooks.", [toggle("webhook.enabled"), portField(ports.webhook)]),
    ...section("certManager", "Certificates of cert-manager, which must be in the cluster.", [
      toggle("certManager.enabled", "Needs webhook.enabled."),
    ]),
    ...section("prometheus", "A ServiceMonitor; Prometheus' operator must be in the cluster.", [
      toggle("prometheus.enabled", "Needs metrics.enabled."),
    ]),
    ...section("networkPolicy", "Who reaches the manager: see config/network-policy for the labels of namespaces.", [
      toggle("networkPolicy.enabled"),
    ]),
  ];
}

/** The text of values.yaml. */
export function valuesYaml(fields: readonly Field[]): string {
  return `${fields.map((each) => linesOf(each, 0).join("\n")).join("\n\n")}\n`;
}

function linesOf({ key, comment, value, fields }: Field, indent: number): string[] {
  const at = " ".repeat(indent);
  const comments = comment.map((line) => `${at}# ${line}`);
  if (fields !== undefined)
    return [...comments, `${at}${key}:`, ...fields.flatMap((each) => linesOf(each, indent + 2))];
  const yaml = yamlOf({ [key]: value ?? null }).split("\n");
  return [...comments, ...yaml.map((line) => (line === "" ? line : `${at}${line}`))];
}

/** The text of values.schema.json: unknown values, and those of the wrong type, are refused when the chart is installed. */
export function valuesSchema(fields: readonly Field[], title: string): string {
  const root = schemaOf({ key: "", comment: [], fields });
  const schema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    title,
    ...root,
    // What a chart that has this one as a part shares with all of its parts.
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
    properties: Object.fromEntries(fields.map((each) => [each.key, schemaOf(each)])),
  };
}
