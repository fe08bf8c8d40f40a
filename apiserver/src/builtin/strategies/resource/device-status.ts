import type { Json, JsonObject } from "../../../json/json.ts";
import type { FieldError } from "../../../request/field-error.ts";
import { duplicateValue, invalidValue, tooLong, tooMany } from "../../../request/paths.ts";
import { formatIP, isMapped, parseCIDR } from "../../../validation/ip.ts";
import { byteLength, isDNS1123Label } from "../../../validation/name-rules.ts";
import { conditionErrors } from "../conditions.ts";
import { driverNameErrors } from "../core/volume-sources.ts";
import { fieldsOf, invalidFor, isSet, textOf, textsOf } from "../fields.ts";
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

/** Checks the names that identify a device. */
export function deviceIDErrors({ driver, pool, device }: JsonObject, path: string): FieldError[] {
  return [
    ...driverNameErrors(driver, `${path}.driver`),
    ...poolNameErrors(textOf(pool), `${path}.pool`),
    ...invalidFor(`${path}.device`, textOf(device), isDNS1123Label(textOf(device))),
  ];
}

function statusErrors(device: JsonObject, path: string, isAllocated: boolean): FieldError[] {
  const conditions = Array.isArray(device.conditions) ? device.conditions.map(fieldsOf) : [];
  const at = `${path}.conditions`;
  return [
    ...deviceIDErrors(device, path),
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
