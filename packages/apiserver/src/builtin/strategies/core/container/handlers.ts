import type { Json, JsonObject } from "@kubewright/cel/json";
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  isValidPortName,
  isValidPortNumber,
  regexError,
  required,
} from "@kubewright/cel/validation";
import {
  fieldsOf,
  invalidFor,
  isSet,
  nonNegative,
  numberOf,
  objectsOf,
  oneOf,
  textOf,
  textsOf,
} from "../../fields/fields.ts";

const headerPattern = "[-A-Za-z0-9]+";

function portErrors(port: Json | undefined, path: string): FieldError[] {
  if (typeof port === "string") return invalidFor(path, port, isValidPortName(port));
  const number = numberOf(port);
  return invalidFor(path, number, isValidPortNumber(number));
}

function httpErrors(get: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = textOf(get.path) === "" ? [required(`${path}.path`, "")] : [];
  errors.push(...portErrors(get.port, `${path}.port`), ...oneOf(get.scheme, `${path}.scheme`, ["HTTP", "HTTPS"]));
  for (const header of objectsOf(get.httpHeaders)) {
    const name = textOf(header.name);
    if (new RegExp(`^${headerPattern}$`).test(name)) continue;
    const rule = "a valid HTTP header must consist of alphanumeric characters or '-'";
    const detail = regexError(rule, headerPattern, "X-Header-Name");
    errors.push(invalidValue(`${path}.httpHeaders`, name, detail));
  }
  return errors;
}

/** The kinds of handlers in the order in which the server reads them. */
function checks(grace: Json | undefined): Record<string, (action: JsonObject, path: string) => FieldError[]> {
  return {
    exec: (action, path) => (textsOf(action.command).length === 0 ? [required(`${path}.command`, "")] : []),
    httpGet: httpErrors,
    tcpSocket: (action, path) => portErrors(action.port, `${path}.port`),
    grpc: (action, path) => portErrors(numberOf(action.port), `${path}.port`),
    sleep(action, path) {
      const seconds = numberOf(action.seconds);
      if (typeof grace !== "number" || (seconds >= 0 && seconds <= grace)) return [];
      const detail = `must be non-negative and less than terminationGracePeriodSeconds (${grace})`;
      return [invalidValue(path, seconds, detail)];
    },
  };
}

function handlerErrors(handler: JsonObject, path: string, grace: Json | undefined): FieldError[] {
  const errors: FieldError[] = [];
  let count = 0;
  for (const [kind, check] of Object.entries(checks(grace))) {
    if (!isSet(handler[kind])) continue;
    if (count++ > 0) errors.push(forbiddenValue(`${path}.${kind}`, "may not specify more than 1 handler type"));
    else errors.push(...check(fieldsOf(handler[kind]), `${path}.${kind}`));
  }
  return count === 0 ? [required(path, "must specify a handler type")] : errors;
}

const probeNumbers = ["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"];

function probeErrors(probe: JsonObject, path: string, grace: Json | undefined): FieldError[] {
  const errors = handlerErrors(probe, path, grace);
  for (const field of probeNumbers) errors.push(...nonNegative(probe[field], `${path}.${field}`));
  const own = probe.terminationGracePeriodSeconds;
  if (isSet(own) && numberOf(own) <= 0) {
    errors.push(invalidValue(`${path}.terminationGracePeriodSeconds`, own, "must be greater than 0"));
  }
  return errors;
}

/**
 * Checks the handlers of a container's lifecycle, and its probes.
 *
 * @param container - the container
 * @param path - its path
 * @param grace - the time in seconds that its Pod has to end
 * @returns the errors
 */
export function lifecycleErrors(container: JsonObject, path: string, grace: Json | undefined): FieldError[] {
  const errors: FieldError[] = [];
  const lifecycle = fieldsOf(container.lifecycle);
  for (const event of ["postStart", "preStop"]) {
    if (!isSet(lifecycle[event])) continue;
    errors.push(...handlerErrors(fieldsOf(lifecycle[event]), `${path}.lifecycle.${event}`, grace));
  }
  for (const name of ["livenessProbe", "readinessProbe", "startupProbe"]) {
    if (!isSet(container[name])) continue;
    const probe = fieldsOf(container[name]);
    errors.push(...probeErrors(probe, `${path}.${name}`, grace));
    if (name === "readinessProbe") {
      const own = probe.terminationGracePeriodSeconds;
      const field = `${path}.${name}.terminationGracePeriodSeconds`;
      if (isSet(own)) errors.push(invalidValue(field, own, "must not be set for readinessProbes"));
    } else if (probe.successThreshold !== 1) {
      errors.push(invalidValue(`${path}.${name}.successThreshold`, numberOf(probe.successThreshold), "must be 1"));
    }
  }
  return errors;
}
