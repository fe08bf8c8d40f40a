import type { JsonObject } from "@kubewright/cel/json";
import {
  type FieldError,
  invalidValue,
  isDNS1123Label,
  isDNS1123Subdomain,
  isQualifiedName,
  isValidLabelValue,
  notSupported,
  required,
  tooMany,
} from "@kubewright/cel/validation";
import {
  declared,
  fieldsOf,
  invalidFor,
  isSet,
  numberOf,
  objectsOf,
  oneOf,
  optionalName,
  requiredText,
  textOf,
  textsOf,
} from "../fields/fields.ts";
import { configurationErrors, maximumConfigurations } from "./configurations.ts";
import { listErrors, repeatedErrors, repeatedItems, setErrors } from "./lists.ts";
import { fullyQualifiedNameErrors } from "./names.ts";
import { selectorErrors } from "./selectors.ts";

const maximumRequests = 32;
const maximumConstraints = 32;
const maximumSubrequests = 8;
const effects = ["NoExecute", "NoSchedule", "None"];
const oneKind = "exactly one of `exactly` or `firstAvailable` is required";

/** Checks the specification of a claim. */
export function claimSpecErrors(spec: JsonObject, path: string): FieldError[] {
  const devices = fieldsOf(spec.devices);
  const at = `${path}.devices`;
  const names = requestNames(spec);
  return [
    ...setErrors(devices.requests, "name", `${at}.requests`, maximumRequests, requestErrors),
    ...listErrors(devices.constraints, `${at}.constraints`, maximumConstraints, (constraint, where) =>
      constraintErrors(constraint, where, names),
    ),
    ...listErrors(devices.config, `${at}.config`, maximumConfigurations, (config, where) => [
      ...requestListErrors(config.requests, `${where}.requests`, names),
      ...configurationErrors(config, where),
    ]),
  ];
}

/** Removes the fields of features that are off from the specification of a claim. */
export function dropDisabledClaimFields(spec: JsonObject): void {
  for (const { exactly, firstAvailable } of objectsOf(fieldsOf(spec.devices).requests)) {
    for (const request of [fieldsOf(exactly), ...objectsOf(firstAvailable)]) delete request.derivedAttributes;
  }
}

/** Returns the names of requests, and of subrequests in the form `request/subrequest`. */
export function requestNames(spec: JsonObject): ReadonlySet<string> {
  const requests = objectsOf(fieldsOf(spec.devices).requests);
  return new Set(
    requests.flatMap(({ name, firstAvailable }) => [
      textOf(name),
      ...objectsOf(firstAvailable).map((sub) => `${textOf(name)}/${textOf(sub.name)}`),
    ]),
  );
}

/** Checks that a name is that of a request of the claim. */
export function requestNameErrors(name: string, path: string, names: ReadonlySet<string>): FieldError[] {
  const detail =
    "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
  const segments = name.split("/");
  const unknown = names.has(name) ? [] : [invalidValue(path, name, detail)];
  if (segments.length > 2) return unknown;
  return [...segments.flatMap((segment) => invalidFor(path, segment, isDNS1123Label(segment))), ...unknown];
}

function requestListErrors(
  list: JsonObject[string] | undefined,
  path: string,
  names: ReadonlySet<string>,
): FieldError[] {
  const given = textsOf(list);
  if (given.length > maximumRequests) return [tooMany(path, given.length, maximumRequests)];
  return [
    ...given.flatMap((name, index) => requestNameErrors(name, `${path}[${index}]`, names)),
    ...repeatedErrors(given, path),
  ];
}

function requestErrors(request: JsonObject, path: string): FieldError[] {
  const name = textOf(request.name);
  const errors = invalidFor(`${path}.name`, name, isDNS1123Label(name));
  const hasSubrequests = objectsOf(request.firstAvailable).length > 0;
  if (hasSubrequests && isSet(request.exactly)) {
    return [
      ...errors,
      ...repeatedItems(objectsOf(request.firstAvailable), "name", `${path}.firstAvailable`),
      invalidValue(path, null, `${oneKind}, but multiple fields are set`),
    ];
  }
  if (isSet(request.exactly)) return [...errors, ...deviceErrors(fieldsOf(request.exactly), `${path}.exactly`)];
  if (!hasSubrequests) return [...errors, required(path, oneKind)];
  const subrequests = setErrors(
    request.firstAvailable,
    "name",
    `${path}.firstAvailable`,
    maximumSubrequests,
    (sub, at) => [
      ...invalidFor(`${at}.name`, textOf(sub.name), isDNS1123Label(textOf(sub.name))),
      ...deviceErrors(sub, at),
    ],
  );
  return [...errors, ...subrequests];
}

function deviceErrors(request: JsonObject, path: string): FieldError[] {
  return [
    ...requiredText(request.deviceClassName, `${path}.deviceClassName`, isDNS1123Subdomain),
    ...selectorErrors(request.selectors, `${path}.selectors`),
    ...countErrors(textOf(request.allocationMode), numberOf(request.count), path),
    ...objectsOf(request.tolerations).flatMap((toleration, index) =>
      tolerationErrors(toleration, `${path}.tolerations[${index}]`),
    ),
  ];
}

function countErrors(mode: string, count: number, path: string): FieldError[] {
  const wrong = (detail: string): FieldError[] => [invalidValue(`${path}.count`, count, detail)];
  switch (mode) {
    case "All":
      return count === 0 ? [] : wrong("must not be specified when allocationMode is 'All'");
    case "ExactCount":
      return count > 0 ? [] : wrong("must be greater than zero");
    default:
      return declared([notSupported(`${path}.allocationMode`, mode, ["All", "ExactCount"])]);
  }
}

function tolerationErrors(toleration: JsonObject, path: string): FieldError[] {
  const [operator, value, effect] = [textOf(toleration.operator), textOf(toleration.value), textOf(toleration.effect)];
  const operatorErrors = (): FieldError[] => {
    if (operator === "Equal") return invalidFor(`${path}.value`, value, isValidLabelValue(value));
    if (operator === "") return [required(`${path}.operator`, "")];
    if (operator !== "Exists") return declared([notSupported(`${path}.operator`, operator, ["Equal", "Exists"])]);
    return value === "" ? [] : [invalidValue(`${path}.value`, value, "must be empty for operator `Exists`")];
  };
  return [
    ...declared(optionalName(toleration.key, `${path}.key`, isQualifiedName)),
    ...operatorErrors(),
    ...(effect === "" ? [] : declared(oneOf(effect, `${path}.effect`, effects))),
  ];
}

function constraintErrors(constraint: JsonObject, path: string, names: ReadonlySet<string>): FieldError[] {
  const errors = requestListErrors(constraint.requests, `${path}.requests`, names);
  const field = ["matchAttribute", "distinctAttribute"].find((one) => isSet(constraint[one]));
  if (field !== undefined) {
    return [...errors, ...declared(fullyQualifiedNameErrors(textOf(constraint[field]), `${path}.${field}`))];
  }
  // The message of the real server is about the opposite mistake.
  const detail = `exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set`;
  return [...errors, required(path, detail)];
}
