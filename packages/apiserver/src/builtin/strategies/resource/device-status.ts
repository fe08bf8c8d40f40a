import { byteLength, goQuote, type Json, type JsonObject } from "@kubewright/cel/json";
import {
  duplicateValue,
  type FieldError,
  formatIP,
  invalidValue,
  isDNS1123Label,
  isMapped,
  parseCIDR,
  tooLong,
  tooMany,
} from "@kubewright/cel/validation";
import { declaredDriverNameErrors } from "../core/volume/volume-sources.ts";
import { conditionErrors } from "../fields/conditions.ts";
import { declared, fieldsOf, invalidFor, isSet, textOf, textsOf } from "../fields/fields.ts";
import { parameterErrors } from "./configurations.ts";
import { repeatedErrors } from "./lists.ts";
import { poolNameErrors } from "./names.ts";

const maximumConditions = 8;
const maximumIPs = 16;
const longestInterface = 256;
const longestAddress = 128;

/** Checks what drivers report about the devices that a claim got. */
export function deviceStatusErrors(
  devices: readonly JsonObject[],
  path: string,
  results: readonly JsonObject[],
): FieldError[] {
  const keyOf = (device: JsonObject): string => JSON.stringify(shownID(device));
  const keys = devices.map(keyOf);
  const allocated = new Set(results.map(keyOf));
  return [
    ...devices.flatMap((device, index) => statusErrors(device, `${path}[${index}]`, allocated.has(keyOf(device)))),
    ...devices.flatMap((device, index) =>
      keys.indexOf(keyOf(device)) < index ? [duplicateValue(`${path}[${index}]`, shownID(device))] : [],
    ),
  ];
}

function shownID({ driver, pool, device, shareID }: JsonObject): JsonObject {
  return { Driver: textOf(driver), Pool: textOf(pool), Device: textOf(device), ShareID: textOf(shareID) };
}

/** Returns the devices that a claim still has, or never had: drivers report nothing about those that it gave back. */
export function keptDevices(
  devices: readonly JsonObject[],
  results: readonly JsonObject[],
  oldResults: readonly JsonObject[],
): JsonObject[] {
  const keyOf = (device: JsonObject): string => JSON.stringify(shownID(device));
  const current = new Set(results.map(keyOf));
  const gone = new Set(oldResults.map(keyOf).filter((key) => !current.has(key)));
  return devices.filter((device) => !gone.has(keyOf(device)));
}

/** Checks the identifier of a part of a device that several claims share. */
export function shareErrors(shareID: Json | undefined, path: string): FieldError[] {
  if (!isSet(shareID)) return [];
  const text = textOf(shareID);
  const problem = uuidProblem(text);
  if (problem !== undefined) return [invalidValue(path, text, `error validating uid: ${problem}`)];
  if (text.length === 36 && text === text.toLowerCase()) return [];
  const form = "`xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters";
  return [invalidValue(path, text, `uid must be in RFC 4122 normalized form, ${form}`)];
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The server reads several forms of identifiers, and reports first if a text has none of them. */
function uuidProblem(text: string): string | undefined {
  const wrong = "invalid UUID format";
  switch (byteLength(text)) {
    case 32:
      return /^[0-9a-f]*$/i.test(text) ? undefined : wrong;
    case 36:
      return uuidPattern.test(text) ? undefined : wrong;
    case 38:
      if (!/^\{.*\}$/s.test(text)) return "invalid bracketed UUID format";
      return uuidPattern.test(text.slice(1, -1)) ? undefined : wrong;
    case 45:
      if (!/^urn:uuid:/i.test(text)) return `invalid urn prefix: ${goQuote(text.slice(0, 9))}`;
      return uuidPattern.test(text.slice(9)) ? undefined : wrong;
    default:
      return `invalid UUID length: ${byteLength(text)}`;
  }
}

/** Checks the names that identify a device. */
export function deviceIDErrors({ driver, pool, device }: JsonObject, path: string): FieldError[] {
  return [
    ...declaredDriverNameErrors(driver, `${path}.driver`),
    ...declared(poolNameErrors(textOf(pool), `${path}.pool`)),
    ...invalidFor(`${path}.device`, textOf(device), isDNS1123Label(textOf(device))),
  ];
}

function statusErrors(device: JsonObject, path: string, isAllocated: boolean): FieldError[] {
  const conditions = Array.isArray(device.conditions) ? device.conditions.map(fieldsOf) : [];
  const at = `${path}.conditions`;
  return [
    ...deviceIDErrors(device, path),
    ...shareErrors(device.shareID, `${path}.shareID`),
    ...(isAllocated ? [] : [invalidValue(path, shownID(device), "must be an allocated device in the claim")]),
    ...(conditions.length > maximumConditions ? [tooMany(at, conditions.length, maximumConditions)] : []),
    ...conditionErrors(conditions, at),
    ...(isSet(device.data) ? parameterErrors(device.data, `${path}.data`) : []),
    ...networkErrors(fieldsOf(device.networkData), `${path}.networkData`),
  ];
}

function networkErrors({ interfaceName, hardwareAddress, ips }: JsonObject, path: string): FieldError[] {
  const addresses = textsOf(ips);
  const at = `${path}.ips`;
  return [
    ...lengthErrors(interfaceName, `${path}.interfaceName`, longestInterface),
    ...lengthErrors(hardwareAddress, `${path}.hardwareAddress`, longestAddress),
    ...(addresses.length > maximumIPs
      ? [tooMany(at, addresses.length, maximumIPs)]
      : [
          ...addresses.flatMap((address, index) => invalidFor(`${at}[${index}]`, address, addressProblems(address))),
          ...repeatedErrors(addresses, at),
        ]),
  ];
}

function lengthErrors(text: Json | undefined, path: string, limit: number): FieldError[] {
  return byteLength(textOf(text)) > limit ? [tooLong(path, limit)] : [];
}

function addressProblems(text: string): string[] {
  const range = parseCIDR(text, true);
  if (range === undefined) {
    return ["must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)"];
  }
  const { address, prefix } = range;
  const mapped = isMapped(address);
  const isLong = mapped && prefix > 32;
  const canonical = `${formatIP(mapped ? address.slice(12) : address)}/${isLong ? prefix - 96 : prefix}`;
  return text === canonical ? [] : [`must be in canonical form (${JSON.stringify(canonical)})`];
}
