import { equalJson, type JsonObject } from "@kubewright/cel/json";
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  nameIsDNSLabel,
  nameIsDNSSubdomain,
  notSupported,
  required,
} from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { internalForm } from "../../codec/internal-form.ts";
import {
  fieldsOf,
  invalidFor,
  isSet,
  numberOf,
  objectsOf,
  oneOf,
  requiredText,
  textOf,
  textsOf,
} from "../fields/fields.ts";
import { conditionTypeErrors } from "./conditions.ts";

const largestPrecedence = 10_000;
const verbs = ["create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"];
const subjectFields: Readonly<Record<string, string>> = {
  Group: "group",
  ServiceAccount: "serviceAccount",
  User: "user",
};
/** The order in which the fields of other subjects are refused. */
const refusedFields: Readonly<Record<string, string[]>> = {
  Group: ["ServiceAccount", "User"],
  ServiceAccount: ["User", "Group"],
  User: ["ServiceAccount", "Group"],
};

const everything = {
  resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"], clusterScope: true, namespaces: ["*"] }],
  nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
};
const group = (name: string): JsonObject => ({ kind: "Group", group: { name } });

/** The specifications of the schemas that every cluster has, by name. */
export const mandatorySchemas: Readonly<Record<string, JsonObject>> = {
  exempt: {
    priorityLevelConfiguration: { name: "exempt" },
    matchingPrecedence: 1,
    rules: [{ subjects: [group("system:masters")], ...everything }],
  },
  "catch-all": {
    priorityLevelConfiguration: { name: "catch-all" },
    matchingPrecedence: largestPrecedence,
    distinguisherMethod: { type: "ByUser" },
    rules: [{ subjects: [group("system:unauthenticated"), group("system:authenticated")], ...everything }],
  },
};

/** The rules of FlowSchemas. */
export const flowSchema: Strategy = {
  validate: schemaErrors,
  validateUpdate: (object, _old, { subresource }) =>
    subresource === "status" ? conditionTypeErrors(object) : schemaErrors(object),
};

function schemaErrors(object: ApiObject): FieldError[] {
  const name = object.metadata.name ?? "";
  const spec = fieldsOf(object.spec);
  const fixed = mandatorySchemas[name];
  const differs = fixed !== undefined && !equalJson(spec, fixed);
  const shown = (): JsonObject[string] => internalForm("flowcontrol.FlowSchemaSpec", spec);
  return [
    ...precedenceErrors(numberOf(spec.matchingPrecedence), name),
    ...methodErrors(spec),
    ...levelErrors(textOf(fieldsOf(spec.priorityLevelConfiguration).name)),
    ...objectsOf(spec.rules).flatMap((rule, index) => ruleErrors(rule, `spec.rules[${index}]`)),
    ...(differs ? [invalidValue("spec", shown(), `spec of '${name}' must equal the fixed value`)] : []),
    ...conditionTypeErrors(object),
  ];
}

function precedenceErrors(precedence: number, name: string): FieldError[] {
  const wrong = (detail: string): FieldError[] => [invalidValue("spec.matchingPrecedence", precedence, detail)];
  if (precedence <= 0) return wrong("must be a positive value");
  if (precedence > largestPrecedence) return wrong(`must not be greater than ${largestPrecedence}`);
  const isReserved = precedence === 1 && name !== "exempt";
  return isReserved ? wrong("only the schema named 'exempt' may have matchingPrecedence 1") : [];
}

function methodErrors({ distinguisherMethod: method }: JsonObject): FieldError[] {
  const supported = ["ByNamespace", "ByUser"];
  const type = textOf(fieldsOf(method).type);
  if (!isSet(method) || supported.includes(type)) return [];
  return [notSupported("spec.distinguisherMethod.type", { Type: type }, supported)];
}

function levelErrors(name: string): FieldError[] {
  const path = "spec.priorityLevelConfiguration.name";
  if (name === "") return [required(path, "must reference a priority level")];
  return invalidFor(path, name, nameIsDNSSubdomain(name, false));
}

function ruleErrors(rule: JsonObject, path: string): FieldError[] {
  const [subjects, resources, urls] = [rule.subjects, rule.resourceRules, rule.nonResourceRules].map(objectsOf);
  const isEmpty = resources?.length === 0 && urls?.length === 0;
  return [
    ...(subjects?.length === 0 ? [required(`${path}.subjects`, "subjects must contain at least one value")] : []),
    ...(subjects ?? []).flatMap((subject, index) => subjectErrors(subject, `${path}.subjects[${index}]`)),
    ...(isEmpty ? [required(path, "at least one of resourceRules and nonResourceRules has to be non-empty")] : []),
    ...(resources ?? []).flatMap((resource, index) => resourceErrors(resource, `${path}.resourceRules[${index}]`)),
    ...(urls ?? []).flatMap((url, index) => urlErrors(url, `${path}.nonResourceRules[${index}]`)),
  ];
}

function subjectErrors(subject: JsonObject, path: string): FieldError[] {
  const kind = textOf(subject.kind);
  const field = subjectFields[kind];
  if (field === undefined) return oneOf(kind, `${path}.kind`, Object.keys(subjectFields));
  const others = (refusedFields[kind] ?? []).flatMap((other) => {
    const refused = subjectFields[other] as string;
    const detail = `${refused} is forbidden when subject kind is not '${other}'`;
    return isSet(subject[refused]) ? [forbiddenValue(`${path}.${refused}`, detail)] : [];
  });
  if (!isSet(subject[field])) {
    return [required(`${path}.${field}`, `${field} is required when subject kind is '${kind}'`), ...others];
  }
  const given = fieldsOf(subject[field]);
  return [
    ...(kind === "ServiceAccount"
      ? accountErrors(given, `${path}.${field}`)
      : requiredText(given.name, `${path}.${field}.name`)),
    ...others,
  ];
}

function accountErrors(account: JsonObject, path: string): FieldError[] {
  const [name, namespace] = [textOf(account.name), textOf(account.namespace)];
  const nameErrors = name === "*" ? [] : requiredText(name, `${path}.name`, (text) => nameIsDNSSubdomain(text, false));
  const detail = "must specify namespace for service account";
  if (namespace === "") return [...nameErrors, required(`${path}.namespace`, detail)];
  return [...nameErrors, ...invalidFor(`${path}.namespace`, namespace, nameIsDNSLabel(namespace, false))];
}

function verbErrors(rule: JsonObject, path: string): FieldError[] {
  const given = textsOf(rule.verbs);
  if (given.length === 0) return [required(`${path}.verbs`, "verbs must contain at least one value")];
  if (given.includes("*")) return alone(given, `${path}.verbs`, "verbs");
  return given.every((verb) => verbs.includes(verb)) ? [] : [notSupported(`${path}.verbs`, given, verbs)];
}

/** The star must be the only value. */
function alone(values: readonly string[], path: string, what: string): FieldError[] {
  if (values.length <= 1 || !values.includes("*")) return [];
  return [invalidValue(path, [...values], `if '*' is present, must not specify other ${what}`)];
}

function resourceErrors(rule: JsonObject, path: string): FieldError[] {
  const list = (field: string, one: string, what: string): FieldError[] => {
    const values = textsOf(rule[field]);
    if (values.length === 0) return [required(`${path}.${field}`, `resource rules must supply at least one ${one}`)];
    return alone(values, `${path}.${field}`, what);
  };
  return [
    ...verbErrors(rule, path),
    ...list("apiGroups", "api group", "api groups"),
    ...list("resources", "resource", "resources"),
    ...namespaceErrors(textsOf(rule.namespaces), rule.clusterScope === true, `${path}.namespaces`),
  ];
}

function namespaceErrors(namespaces: readonly string[], ofCluster: boolean, path: string): FieldError[] {
  if (namespaces.length === 0 && !ofCluster) {
    return [required(path, "resource rules that are not cluster scoped must supply at least one namespace")];
  }
  if (namespaces.includes("*")) return alone(namespaces, path, "namespaces");
  const start = "each member of this list must be '*' or a DNS-1123 label; ";
  return namespaces.flatMap((namespace, index) =>
    nameIsDNSLabel(namespace, false).map((problem) => invalidValue(`${path}[${index}]`, namespace, start + problem)),
  );
}

function urlErrors(rule: JsonObject, path: string): FieldError[] {
  const urls = textsOf(rule.nonResourceURLs);
  const at = `${path}.nonResourceURLs`;
  const errors = verbErrors(rule, path);
  if (urls.length === 0) return [...errors, required(at, "nonResourceURLs must contain at least one value")];
  if (urls.includes("*")) return [...errors, ...alone(urls, at, "non-resource URLs")];
  return [...errors, ...urls.flatMap((url, index) => invalidFor(`${at}[${index}]`, url, urlProblems(url)))];
}

function urlProblems(url: string): string[] {
  if (url === "") return ["must not be empty"];
  if (!url.startsWith("/")) return ["must start with slash"];
  if (url.includes(" ")) return ["must not contain white-space"];
  if (url.includes("//")) return ["must not contain double slash"];
  const stars = url.split("*").length - 1;
  return stars > 1 || (stars === 1 && !url.endsWith("/*")) ? ["wildcard can only do suffix matching"] : [];
}
