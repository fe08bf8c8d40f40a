import { equalJson, type JsonObject } from "@kubewright/cel/json";
import {
  type FieldError,
  isDNS1123Label,
  isQualifiedName,
  isValidPortNumber,
  nameIsDNSSubdomain,
  required,
} from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../../model/resource.ts";
import { ipWarnings } from "../../../../validation/ip-warnings.ts";
import {
  invalidFor,
  isSet,
  numberOf,
  objectsOf,
  oneOf,
  optionalName,
  requiredText,
  textOf,
} from "../../fields/fields.ts";
import { addressErrors as formErrors, nonSpecialAddressErrors } from "../addresses.ts";

const protocols = ["SCTP", "TCP", "UDP"];
const lists = ["addresses", "notReadyAddresses"];

/** The rules of Endpoints. */
export const endpoints: Strategy = {
  validate: subsetsErrors,
  // Subsets that were valid for an older server may stay as they are.
  validateUpdate: (object, old) => (equalJson(object.subsets ?? [], old.subsets ?? []) ? [] : subsetsErrors(object)),
  warningsOnCreate: warnings,
  warningsOnUpdate: warnings,
};

function subsetsErrors(object: ApiObject): FieldError[] {
  return objectsOf(object.subsets).flatMap((subset, index) => subsetErrors(subset, `subsets[${index}]`));
}

function subsetErrors(subset: JsonObject, path: string): FieldError[] {
  const isEmpty = lists.every((list) => objectsOf(subset[list]).length === 0);
  const ports = objectsOf(subset.ports);
  return [
    ...(isEmpty ? [required(path, "must specify `addresses` or `notReadyAddresses`")] : []),
    ...lists.flatMap((list) =>
      objectsOf(subset[list]).flatMap((address, index) => addressErrors(address, `${path}.${list}[${index}]`)),
    ),
    ...ports.flatMap((port, index) => portErrors(port, ports.length > 1, `${path}.ports[${index}]`)),
  ];
}

function addressErrors(address: JsonObject, path: string): FieldError[] {
  const ip = textOf(address.ip);
  const node = textOf(address.nodeName);
  return [
    ...formErrors(ip, `${path}.ip`),
    ...optionalName(address.hostname, `${path}.hostname`, isDNS1123Label),
    ...(isSet(address.nodeName) ? invalidFor(`${path}.nodeName`, node, nameIsDNSSubdomain(node, false)) : []),
    ...nonSpecialAddressErrors(ip, `${path}.ip`),
  ];
}

function portErrors(port: JsonObject, requiresName: boolean, path: string): FieldError[] {
  const number = numberOf(port.port);
  const appProtocol = textOf(port.appProtocol);
  return [
    ...(requiresName
      ? requiredText(port.name, `${path}.name`, isDNS1123Label)
      : optionalName(port.name, `${path}.name`, isDNS1123Label)),
    ...invalidFor(`${path}.port`, number, isValidPortNumber(number)),
    ...(textOf(port.protocol) === ""
      ? [required(`${path}.protocol`, "")]
      : oneOf(port.protocol, `${path}.protocol`, protocols)),
    ...(isSet(port.appProtocol) ? invalidFor(`${path}.appProtocol`, appProtocol, isQualifiedName(appProtocol)) : []),
  ];
}

function warnings(object: ApiObject): string[] {
  if (object.metadata.labels?.["endpoints.kubernetes.io/managed-by"] === "endpoint-controller") return [];
  return objectsOf(object.subsets).flatMap((subset, index) =>
    lists.flatMap((list) =>
      objectsOf(subset[list]).flatMap(({ ip }, at) => ipWarnings(`subsets[${index}].${list}[${at}].ip`, textOf(ip))),
    ),
  );
}
