// The sources that volumes of Pods and persistent volumes have in common.
import type { Json, JsonObject } from "@kubewright/cel/json";
import {
  type FieldError,
  invalidValue,
  isDNS1123Label,
  isDNS1123Subdomain,
  isInRange,
  notSupported,
  required,
  tooLong,
} from "@kubewright/cel/validation";
import { declared, fieldsOf, invalidFor, isSet, numberOf, textOf, textsOf } from "../../fields/fields.ts";
import { withoutParentSteps } from "../paths.ts";

/** Checks a source of a volume. */
export type Check = (source: JsonObject, path: string) => FieldError[];

const hostPathTypes = [
  "",
  "BlockDevice",
  "CharDevice",
  "Directory",
  "DirectoryOrCreate",
  "File",
  "FileOrCreate",
  "Socket",
];

/** Creates a check for texts that can't be empty. */
export function needs(...keys: string[]): Check {
  return (source, path) =>
    keys.filter((key) => textOf(source[key]) === "").map((key) => required(`${path}.${key}`, ""));
}

/** Checks a path on a node. */
export function hostPathErrors(source: JsonObject, path: string): FieldError[] {
  const to = textOf(source.path);
  if (to === "") return [required(`${path}.path`, "")];
  const type = textOf(source.type);
  const errors = withoutParentSteps(to, `${path}.path`);
  if (!hostPathTypes.includes(type)) errors.push(notSupported(`${path}.type`, type, hostPathTypes));
  return errors;
}

/** Checks a directory on a server. */
export function nfsErrors(source: JsonObject, path: string): FieldError[] {
  const errors = needs("server", "path")(source, path);
  const to = textOf(source.path);
  if (!to.startsWith("/")) errors.push(invalidValue(`${path}.path`, to, "must be an absolute path"));
  return errors;
}

/** Checks a volume in a network of Fibre Channel. */
export function fibreChannelErrors(source: JsonObject, path: string): FieldError[] {
  const [targets, identifiers] = [textsOf(source.targetWWNs), textsOf(source.wwids)];
  const at = `${path}.targetWWNs`;
  if (targets.length === 0) {
    const detail = "must specify either targetWWNs or wwids, but not both";
    return identifiers.length === 0 ? [required(at, detail)] : [];
  }
  const errors: FieldError[] = [];
  if (identifiers.length > 0) {
    errors.push(invalidValue(at, targets, "targetWWNs and wwids can not be specified simultaneously"));
  }
  if (!isSet(source.lun)) errors.push(required(`${path}.lun`, "lun is required if targetWWNs is specified"));
  else errors.push(...invalidFor(`${path}.lun`, source.lun, isInRange(numberOf(source.lun), 0, 255)));
  return errors;
}

const initiators: Readonly<Record<string, (name: string) => boolean>> = {
  iqn: isQualifiedInitiator,
  eui: (name) => /^eui.[A-Za-z0-9]{16}$/.test(name),
  naa: (name) => /^naa.[A-Za-z0-9]{32}$/.test(name),
};

/** Reports whether a name ends with that of an authority, a colon and characters that are allowed after it. */
function isQualifiedInitiator(name: string): boolean {
  const allowed = name.split(/[,;*&$|\s]/).at(-1) as string;
  return [...allowed.matchAll(/iqn\.\d{4}-\d{2}\.[A-Za-z0-9\-.]+(:[\s\S])?/g)].some(([, end]) => end !== undefined);
}

function initiatorErrors(name: string, path: string, prefixRule: string): FieldError[] {
  const pattern = initiators[name.slice(0, 3)];
  if (pattern === undefined) return [invalidValue(path, name, prefixRule)];
  return pattern(name) ? [] : [invalidValue(path, name, "must be valid format")];
}

/**
 * Checks a volume of iSCSI.
 *
 * @param source - the volume
 * @param path - its path
 * @param prefixRule - the message for names with an unknown prefix
 * @returns the errors
 */
export function iscsiErrors(source: JsonObject, path: string, prefixRule: string): FieldError[] {
  const errors = needs("targetPortal")(source, path);
  const name = textOf(source.iqn);
  if (name === "") errors.push(required(`${path}.iqn`, ""));
  else errors.push(...initiatorErrors(name, `${path}.iqn`, prefixRule));
  errors.push(...invalidFor(`${path}.lun`, numberOf(source.lun), isInRange(numberOf(source.lun), 0, 255)));
  const hasSecret = isSet(source.secretRef);
  if ((source.chapAuthDiscovery === true || source.chapAuthSession === true) && !hasSecret) {
    errors.push(required(`${path}.secretRef`, ""));
  }
  if (!isSet(source.initiatorName)) return errors;
  return [...errors, ...initiatorErrors(textOf(source.initiatorName), `${path}.initiatorname`, prefixRule)];
}

/** Checks the name of a driver of volumes. */
export function driverNameErrors(value: Json | undefined, path: string): FieldError[] {
  const name = textOf(value);
  if (name === "") return [required(path, "")];
  return [
    ...(name.length > 63 ? [tooLong(path, 63)] : []),
    ...invalidFor(path, name, isDNS1123Subdomain(name.toLowerCase())),
  ];
}

/** Checks the name of a driver by declarative rules, whose messages count characters, and mention that upper case is allowed. */
export function declaredDriverNameErrors(value: Json | undefined, path: string): FieldError[] {
  const rule = "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with";
  return declared(driverNameErrors(value, path)).map((error) => ({
    ...error,
    detail: error.detail
      .replace(/ bytes$/, " characters")
      .replace(/^a lowercase RFC 1123 .* start and end with/, rule)
      .replace("(e.g. 'example.com'", "(e.g. 'Example.com'"),
  }));
}

/** Checks a reference to a Secret of some namespace. */
export function secretReferenceErrors(value: Json | undefined, path: string): FieldError[] {
  const { name, namespace } = fieldsOf(value);
  return [
    ...(textOf(name) === ""
      ? [required(`${path}.name`, "")]
      : invalidFor(`${path}.name`, textOf(name), isDNS1123Subdomain(textOf(name)))),
    ...(textOf(namespace) === ""
      ? [required(`${path}.namespace`, "")]
      : invalidFor(`${path}.namespace`, textOf(namespace), isDNS1123Label(textOf(namespace)))),
  ];
}
