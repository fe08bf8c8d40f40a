// The fields of the manager's Deployment that become values, and the expressions that replace them.
import { imageParts } from "../../kubernetes/image.ts";
import { fieldsOf, textOf, type Value } from "../../yaml/plain-values.ts";
import { either } from "./conditions.ts";
import { managerIndex, portOfFlag } from "./manager.ts";
import {
  asList,
  asMap,
  block,
  changeNode,
  entry,
  expression,
  type Item,
  type Node,
  nodeAt,
  plain,
  plainValue,
} from "./nodes.ts";
import { hasMarks } from "./texts.ts";

/** A Deployment with fields that are set by values, and the default values. */
export interface ManagerParts {
  readonly node: Node;
  /** The values below `manager`. */
  readonly values: Readonly<Record<string, Value>>;
}

const blanks = (count: number) => " ".repeat(count);
const valuePath = (name: string) => `$.Values.manager.${name}`;

/** Inserts a value as YAML, on the lines below its key. */
const yamlBlock = (value: string) => block((indent) => [`${blanks(indent)}{{- toYaml ${value} | nindent ${indent} }}`]);

/** The fields of the Pod that become values unchanged, with the default for missing fields. */
const ofPod: Readonly<Record<string, readonly [name: string, missing: Value]>> = {
  securityContext: ["podSecurityContext", {}],
  affinity: ["affinity", {}],
  nodeSelector: ["nodeSelector", {}],
  tolerations: ["tolerations", []],
  topologySpreadConstraints: ["topologySpreadConstraints", []],
  imagePullSecrets: ["imagePullSecrets", []],
};
const ofContainer: Readonly<Record<string, readonly [name: string, missing: Value]>> = {
  resources: ["resources", {}],
  securityContext: ["securityContext", {}],
};

/** Extracts what users configure on a manager into values: image, arguments, resources, scheduling and so on. */
export function managerParts(deployment: Node): ManagerParts {
  const values: Record<string, Value> = {};
  const take = (node: Node, key: string, name: string, missing: Value): Node => {
    const old = nodeAt(node, key);
    if (old !== undefined && !canBeValue(old)) return node;
    values[name] = plainValue(old) ?? missing;
    return withEntry(node, key, yamlBlock(valuePath(name)), `.Values.manager.${name}`);
  };
  const takeAll = (node: Node, fields: Readonly<Record<string, readonly [string, Value]>>) =>
    Object.entries(fields).reduce((now, [key, [name, missing]]) => take(now, key, name, missing), node);
  const scalar = (node: Node, key: string, name: string, missing: Value): Node => {
    const old = nodeAt(node, key);
    if (old !== undefined && old.is !== "plain") return node;
    values[name] = plainValue(old) ?? missing;
    return changeNode(node, [key], () => expression(`{{ ${valuePath(name)} }}`));
  };

  let node = changeNode(deployment, ["spec"], (spec) =>
    take(scalar(spec ?? plain({}), "replicas", "replicas", 1), "strategy", "strategy", {}),
  );
  const pod = ["spec", "template", "spec"];
  const index = managerIndex(fieldsOf(plainly(deployment)));
  node = changeNode(node, pod, (spec) => {
    const taken = scalar(
      takeAll(spec ?? plain({}), ofPod),
      "terminationGracePeriodSeconds",
      "terminationGracePeriodSeconds",
      30,
    );
    values.priorityClassName = textOf(plainValue(nodeAt(taken, "priorityClassName")));
    const priority = expression("{{ $.Values.manager.priorityClassName | quote }}");
    const named = withEntry(taken, "priorityClassName", priority, ".Values.manager.priorityClassName");
    const mounted = changeNode(named, ["volumes"], (list) => extended(list, "extraVolumes"));
    return changeNode(mounted, ["containers"], (containers) => {
      const list = asList(containers);
      if (list === undefined) return containers;
      return {
        ...list,
        items: list.items.map((item, at) => (at === index ? { ...item, node: container(item.node) } : item)),
      };
    });
  });
  values.extraVolumes = [];
  values.extraVolumeMounts = [];
  return { node: withMetadata(node), values };

  function container(start: Node): Node {
    const image = imageParts(textOf(plainValue(nodeAt(start, "image"))));
    values.image = {
      repository: image.digest === "" ? image.name : `${image.name}@${image.digest}`,
      tag: image.tag,
      pullPolicy: textOf(plainValue(nodeAt(start, "imagePullPolicy"))),
    };
    let now = changeNode(takeAll(start, ofContainer), ["image"], () => expression(imageExpression));
    now = withEntry(
      now,
      "imagePullPolicy",
      expression("{{ $.Values.manager.image.pullPolicy }}"),
      ".Values.manager.image.pullPolicy",
    );
    now = changeNode(now, ["args"], argsOf);
    now = changeNode(now, ["env"], envOf);
    return changeNode(now, ["volumeMounts"], (list) => extended(list, "extraVolumeMounts"));
  }

  /** Arguments without a condition become a value. Those that depend on switches, or contain ports, stay in the template. */
  function argsOf(node: Node | undefined): Node {
    const list = asList(node);
    const own: Value[] = [];
    const items: Item[] = [];
    for (const item of list?.items ?? []) {
      const arg = plainValue(item.node);
      const port = typeof arg === "string" ? portOfFlag(arg) : undefined;
      if (port !== undefined) items.push({ ...item, node: expression(portArg(String(arg), port)) });
      else if (item.when !== undefined || !canBeValue(item.node)) items.push(item);
      else {
        if (own.length === 0) items.push({ when: undefined, node: argsBlock });
        own.push(arg ?? null);
      }
    }
    if (own.length === 0) items.push({ when: undefined, node: argsBlock });
    values.args = own;
    return { is: "list", items, some: undefined };
  }

  function envOf(node: Node | undefined): Node {
    const list = asList(node);
    const own = (list?.items ?? []).filter(({ when, node: each }) => when === undefined && canBeValue(each));
    values.env = own.map(({ node: each }) => plainValue(each) ?? null);
    values.envOverrides = {};
    const others = (list?.items ?? []).filter((item) => !own.includes(item));
    const conditions = others.map(({ when }) => when);
    const some = conditions.reduce<string | undefined>(
      (all, when) => (all === undefined || when === undefined ? undefined : either(all, when)),
      either(".Values.manager.env", ".Values.manager.envOverrides"),
    );
    return { is: "list", items: [{ when: undefined, node: envBlock }, ...others], some };
  }
}

/** Whether a field can become a value: fields that depend on switches or contain the release name stay in the template. */
function canBeValue(node: Node): boolean {
  return node.is === "plain" && !hasMarks(node.value);
}

const imageExpression =
  '"{{ $.Values.manager.image.repository }}{{ if not (contains "@" $.Values.manager.image.repository) }}:{{ $.Values.manager.image.tag | default $.Chart.AppVersion }}{{ end }}"';

const argsBlock = block((indent) => [
  `${blanks(indent)}{{- range $.Values.manager.args }}`,
  `${blanks(indent)}- {{ tpl . $ | quote }}`,
  `${blanks(indent)}{{- end }}`,
]);

const envBlock = block((indent) => [
  `${blanks(indent)}{{- range $.Values.manager.env }}`,
  `${blanks(indent)}{{- if not (hasKey $.Values.manager.envOverrides .name) }}`,
  `${blanks(indent)}- {{- toYaml . | nindent ${indent + 2} }}`,
  `${blanks(indent)}{{- end }}`,
  `${blanks(indent)}{{- end }}`,
  `${blanks(indent)}{{- range $name, $value := $.Values.manager.envOverrides }}`,
  `${blanks(indent)}- name: {{ $name | quote }}`,
  `${blanks(indent)}  value: {{ $value | quote }}`,
  `${blanks(indent)}{{- end }}`,
]);

const portValues = { metrics: "metrics.port", health: "manager.healthProbe.port", webhook: "webhook.port" } as const;

function portArg(arg: string, { of, port }: NonNullable<ReturnType<typeof portOfFlag>>): string {
  return `"${arg.slice(0, arg.length - String(port).length)}{{ $.Values.${portValues[of]} }}"`;
}

/** Returns a map with a conditional entry, which replaces an existing entry with the same key or is appended. */
function withEntry(node: Node, key: string, value: Node, when: string): Node {
  const map = asMap(changeNode(node, [key], () => value));
  if (map === undefined) return node;
  return { ...map, entries: map.entries.map((each) => (each.key === key ? { ...each, when } : each)) };
}

/** Returns a list with the items of a value appended. */
function extended(node: Node | undefined, name: string): Node {
  const list = asList(node);
  const own = list?.items ?? [];
  const more = block((indent) => [
    `${blanks(indent)}{{- with ${valuePath(name)} }}`,
    `${blanks(indent)}{{- toYaml . | nindent ${indent} }}`,
    `${blanks(indent)}{{- end }}`,
  ]);
  const value = `.Values.manager.${name}`;
  const some = own.length === 0 ? value : list?.some === undefined ? undefined : either(value, list.some);
  return { is: "list", items: [...own, { when: undefined, node: more }], some };
}

function withMetadata(deployment: Node): Node {
  const [template, pod] = [["spec", "template", "metadata"], "manager.pod"];
  return [
    [["metadata", "labels"], "manager.labels"],
    [["metadata", "annotations"], "manager.annotations"],
    [[...template, "labels"], `${pod}.labels`],
    [[...template, "annotations"], `${pod}.annotations`],
  ].reduce((node, [path, value]) => withMore(node, path as string[], value as string), deployment);
}

/** Appends the entries of a value to the map at a path. If both have a key, the map's own entry wins. */
export function withMore(node: Node, path: readonly string[], value: string): Node {
  const [parent, key = ""] = [path.slice(0, -1), path.at(-1)];
  const own = asMap(nodeAt(node, ...path));
  const keys = (own?.entries ?? []).map((each) => JSON.stringify(each.key)).join(" ");
  if (own === undefined || keys === "") {
    return changeNode(node, parent, (at) => {
      const map = asMap(at) ?? { is: "map" as const, entries: [], some: undefined };
      const others = map.entries.filter((each) => each.key !== key);
      return { ...map, entries: [...others, entry(key, yamlBlock(`$.Values.${value}`), `.Values.${value}`)] };
    });
  }
  const rest = block((indent) => [
    `${blanks(indent)}{{- with omit $.Values.${value} ${keys} }}`,
    `${blanks(indent)}{{- toYaml . | nindent ${indent} }}`,
    `${blanks(indent)}{{- end }}`,
  ]);
  return changeNode(node, path, () => ({ ...own, some: undefined, entries: [...own.entries, entry("", rest)] }));
}

/** Returns enough of the Deployment to find the manager's container. The names of containers don't depend on conditions. */
function plainly(node: Node): Value {
  const list = asList(nodeAt(node, "spec", "template", "spec", "containers"));
  const containers = (list?.items ?? []).map(({ node: each }) => ({ name: textOf(plainValue(nodeAt(each, "name"))) }));
  return { spec: { template: { spec: { containers } } } };
}
