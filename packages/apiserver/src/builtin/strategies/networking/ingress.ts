import type { Json, JsonObject } from "@kubewright/cel/json";
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  isDNS1123Label,
  isDNS1123Subdomain,
  isPathSegment,
  isValidIP,
  isValidPortName,
  isValidPortNumber,
  isWildcardDNS1123Subdomain,
  nameIsDNSLabel,
  parseIP,
  required,
} from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { ipWarnings } from "../../../validation/ip-warnings.ts";
import { addressErrors } from "../core/addresses.ts";
import {
  fieldsOf,
  immutable,
  invalidFor,
  isSet,
  numberOf,
  objectsOf,
  oneOf,
  textOf,
  textsOf,
} from "../fields/fields.ts";
import { domainPrefixedPathErrors } from "../fields/names.ts";

const classAnnotation = "kubernetes.io/ingress.class";
const forbiddenInPaths = ["//", "/./", "/../", "%2f", "%2F"];
const forbiddenAtEnd = ["/..", "/."];

function hostErrors(host: string, path: string): FieldError[] {
  if (host.includes("*")) return invalidFor(path, host, isWildcardDNS1123Subdomain(host));
  return invalidFor(path, host, isDNS1123Subdomain(host));
}

function backendErrors(backend: JsonObject, path: string): FieldError[] {
  const { service, resource } = backend;
  if (isSet(resource) && isSet(service)) {
    return [invalidValue(path, "", "cannot set both resource and service backends")];
  }
  if (isSet(resource)) return typedReferenceErrors(fieldsOf(resource), `${path}.resource`);
  if (!isSet(service)) return [invalidValue(path, "", "resource or service backend is required")];
  const { name, port } = fieldsOf(service);
  const text = textOf(name);
  const errors =
    text === ""
      ? [required(`${path}.service.name`, "")]
      : invalidFor(`${path}.service.name`, text, isDNS1123Label(text));
  const [portName, number] = [textOf(fieldsOf(port).name), numberOf(fieldsOf(port).number)];
  if (portName !== "" && number !== 0) {
    errors.push(invalidValue(path, "", "cannot set both port name & port number"));
  } else if (portName !== "") {
    errors.push(...invalidFor(`${path}.service.port.name`, portName, isValidPortName(portName)));
  } else if (number !== 0) {
    errors.push(...invalidFor(`${path}.service.port.number`, number, isValidPortNumber(number)));
  } else errors.push(required(path, "port name or number is required"));
  return errors;
}

/** Checks a reference to an object of any kind in the same namespace. */
function typedReferenceErrors(reference: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const group = reference.apiGroup;
  if (isSet(group)) errors.push(...invalidFor(`${path}.apiGroup`, group, isDNS1123Subdomain(textOf(group))));
  for (const key of ["kind", "name"]) {
    const text = textOf(reference[key]);
    if (text === "") errors.push(required(`${path}.${key}`, ""));
    else errors.push(...invalidFor(`${path}.${key}`, text, isPathSegment(text, false)));
  }
  return errors;
}

function pathErrors(rule: JsonObject, path: string): FieldError[] {
  if (!isSet(rule.pathType)) return [required(`${path}.pathType`, "pathType must be specified")];
  const text = textOf(rule.path);
  const errors: FieldError[] = [];
  const refuse = (detail: string): number => errors.push(invalidValue(`${path}.path`, text, detail));
  switch (rule.pathType) {
    case "Exact":
    case "Prefix":
      if (!text.startsWith("/")) refuse("must be an absolute path");
      if (text !== "") {
        for (const forbidden of forbiddenInPaths)
          if (text.includes(forbidden)) refuse(`must not contain '${forbidden}'`);
        for (const forbidden of forbiddenAtEnd) if (text.endsWith(forbidden)) refuse(`cannot end with '${forbidden}'`);
      }
      break;
    case "ImplementationSpecific":
      if (text !== "" && !text.startsWith("/")) refuse("must be an absolute path");
      break;
    default:
      errors.push(...oneOf(rule.pathType, `${path}.pathType`, ["Exact", "ImplementationSpecific", "Prefix"]));
  }
  return [...errors, ...backendErrors(fieldsOf(rule.backend), `${path}.backend`)];
}

function ruleErrors(rule: JsonObject, path: string): FieldError[] {
  const host = textOf(rule.host);
  const errors: FieldError[] = [];
  if (host !== "") {
    if (parseIP(host, true) !== undefined) {
      errors.push(invalidValue(`${path}.host`, host, "must be a DNS name, not an IP address"));
    } else errors.push(...hostErrors(host, `${path}.host`));
  }
  if (!isSet(rule.http)) return errors;
  const paths = objectsOf(fieldsOf(rule.http).paths);
  if (paths.length === 0) errors.push(required(`${path}.http.paths`, ""));
  return [...errors, ...paths.flatMap((one, index) => pathErrors(one, `${path}.http.paths[${index}]`))];
}

function specErrors(spec: JsonObject): FieldError[] {
  const rules = objectsOf(spec.rules);
  const errors: FieldError[] = [];
  if (rules.length === 0 && !isSet(spec.defaultBackend)) {
    errors.push(invalidValue("spec", null, "either `defaultBackend` or `rules` must be specified"));
  }
  if (isSet(spec.defaultBackend)) errors.push(...backendErrors(fieldsOf(spec.defaultBackend), "spec.defaultBackend"));
  errors.push(...rules.flatMap((rule, index) => ruleErrors(rule, `spec.rules[${index}]`)));
  for (const [index, tls] of objectsOf(spec.tls).entries()) {
    const at = `spec.tls[${index}]`;
    errors.push(...textsOf(tls.hosts).flatMap((host, place) => hostErrors(host, `${at}.hosts[${place}]`)));
    const secret = textOf(tls.secretName);
    if (secret !== "") errors.push(...invalidFor(`${at}.secretName`, secret, isDNS1123Subdomain(secret)));
  }
  const className = spec.ingressClassName;
  if (isSet(className)) {
    errors.push(...invalidFor("spec.ingressClassName", className, isDNS1123Subdomain(textOf(className))));
  }
  return errors;
}

function classOf(object: ApiObject): Json | undefined {
  return object.metadata.annotations?.[classAnnotation];
}

const statusPath = "status.loadBalancer.ingress";

/** Returns the addresses in the status, where others reach the Ingress. */
function addressesOf(object: ApiObject): JsonObject[] {
  return objectsOf(fieldsOf(fieldsOf(object.status).loadBalancer).ingress);
}

/** Checks the addresses and names in the status. Addresses that were there before stay valid. */
function statusErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const stored = addressesOf(old).map(({ ip }) => textOf(ip));
  return addressesOf(object).flatMap(({ ip, hostname }, index) => {
    const at = `${statusPath}[${index}]`;
    const [address, name] = [textOf(ip), textOf(hostname)];
    const errors = address === "" ? [] : addressErrors(address, `${at}.ip`, stored);
    if (name === "") return errors;
    errors.push(...invalidFor(`${at}.hostname`, name, isDNS1123Subdomain(name)));
    if (isValidIP(name).length === 0) {
      errors.push(invalidValue(`${at}.hostname`, name, "must be a DNS name, not an IP address"));
    }
    return errors;
  });
}

function statusWarnings(object: ApiObject): string[] {
  return addressesOf(object).flatMap(({ ip }, index) => ipWarnings(`${statusPath}[${index}]`, textOf(ip)));
}

function creationWarnings(object: ApiObject): string[] {
  if (classOf(object) === undefined || isSet(fieldsOf(object.spec).ingressClassName)) return [];
  return [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`];
}

/** The rules of Ingresses. */
export const ingress: Strategy = {
  validate(object) {
    const spec = fieldsOf(object.spec);
    const errors = specErrors(spec);
    const annotated = classOf(object);
    if (annotated !== undefined && isSet(spec.ingressClassName) && annotated !== spec.ingressClassName) {
      const detail = "must match `ingressClassName` when both are specified";
      errors.push(invalidValue(`annotations.${classAnnotation}`, annotated, detail));
    }
    return errors;
  },
  validateUpdate: (object, old, { subresource }) =>
    subresource === "status" ? statusErrors(object, old) : specErrors(fieldsOf(object.spec)),
  warningsOnCreate: creationWarnings,
  warningsOnUpdate: (object, _old, { subresource }) => (subresource === "status" ? statusWarnings(object) : []),
};

function classErrors(object: ApiObject): FieldError[] {
  const { controller, parameters } = fieldsOf(object.spec);
  const errors = domainPrefixedPathErrors(textOf(controller), "spec.controller", 250);
  if (!isSet(parameters)) return errors;
  const path = "spec.parameters";
  const reference = fieldsOf(parameters);
  const { scope, namespace } = reference;
  errors.push(...typedReferenceErrors(reference, path));
  if (!isSet(scope)) return [...errors, required(`${path}.scope`, "")];
  if (scope === "Namespace") {
    if (!isSet(namespace)) {
      errors.push(required(`${path}.namespace`, "`parameters.scope` is set to 'Namespace'"));
    } else errors.push(...invalidFor(`${path}.namespace`, namespace, nameIsDNSLabel(textOf(namespace), false)));
  } else if (scope === "Cluster") {
    if (isSet(namespace)) {
      errors.push(forbiddenValue(`${path}.namespace`, "`parameters.scope` is set to 'Cluster'"));
    }
  } else errors.push(...oneOf(scope, `${path}.scope`, ["Cluster", "Namespace"]));
  return errors;
}

/** The rules of IngressClasses: the controller can't change. */
export const ingressClass: Strategy = {
  validate: classErrors,
  validateUpdate: (object, old) => [
    ...immutable(textOf(fieldsOf(object.spec).controller), textOf(fieldsOf(old.spec).controller), "spec.controller"),
    ...classErrors(object),
  ],
};
