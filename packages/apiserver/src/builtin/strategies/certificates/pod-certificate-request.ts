import { byteLength, equalJson, type JsonObject } from "@kubewright/cel/json";
import {
  type FieldError,
  invalidValue,
  nameIsDNSSubdomain,
  notSupported,
  required,
  tooLong,
} from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { conditionErrors } from "../fields/conditions.ts";
import { fieldsOf, immutable, invalidFor, isSet, numberOf, objectsOf, textOf } from "../fields/fields.ts";
import { issuedErrors } from "./issued-certificates.ts";
import { publicKeyErrors, stubRequestErrors } from "./pod-certificate-keys.ts";
import { isOfKubernetes, signerNameErrors } from "./signer-names.ts";
import { userAnnotationErrors } from "./user-annotations.ts";

const longestUID = 128;
const hour = 60 * 60;
const terminal = ["Issued", "Denied", "Failed"];

/** The rules of PodCertificateRequests: their specification can't change, and neither can their status once they end. */
export const podCertificateRequest: Strategy = {
  validate: requestErrors,
  validateUpdate: (object, old, { subresource, now }) =>
    subresource === "status" ? statusErrors(object, old, now) : immutable(object.spec, old.spec, "spec"),
};

function requestErrors(object: ApiObject): FieldError[] {
  const spec = fieldsOf(object.spec);
  const errors = [
    ...signerNameErrors(textOf(spec.signerName), "spec.signerName"),
    ...userAnnotationErrors(spec.unverifiedUserAnnotations, "spec.unverifiedUserAnnotations"),
    ...["pod", "serviceAccount", "node"].flatMap((kind) => identityErrors(spec, kind)),
  ];
  if (!isSet(spec.maxExpirationSeconds)) return [...errors, required("spec.maxExpirationSeconds", "must be set")];
  const [least, most] = [hour, isOfKubernetes(textOf(spec.signerName)) ? 24 * hour : 91 * 24 * hour];
  const seconds = numberOf(spec.maxExpirationSeconds);
  if (seconds < least || seconds > most) {
    errors.push(invalidValue("spec.maxExpirationSeconds", seconds, `must be in the range [${least}, ${most}]`));
  }
  const [stub, key, proof] = ["stubPKCS10Request", "pkixPublicKey", "proofOfPossession"].map((name) =>
    Buffer.from(textOf(spec[name]), "base64"),
  ) as [Buffer, Buffer, Buffer];
  const given = [stub, key, proof].map(({ length }) => length > 0).join();
  if (given === "true,false,false") return [...errors, ...stubRequestErrors(stub)];
  if (given === "false,true,true") return [...errors, ...publicKeyErrors(key, proof, textOf(spec.podUID))];
  const detail = "exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set";
  return [...errors, { type: "FieldValueInvalid", field: "spec", detail }];
}

/** Checks the name and the UID of an object that the certificate is for. */
function identityErrors(spec: JsonObject, kind: string): FieldError[] {
  const [name, uid] = [textOf(spec[`${kind}Name`]), textOf(spec[`${kind}UID`])];
  const path = `spec.${kind}UID`;
  return [
    ...invalidFor(`spec.${kind}Name`, name, nameIsDNSSubdomain(name, false)),
    ...(uid === "" ? [invalidValue(path, uid, "must not be empty")] : []),
    ...(byteLength(uid) > longestUID ? [tooLong(path, longestUID)] : []),
  ];
}

function isTrue(status: JsonObject, wanted: string): boolean {
  return objectsOf(status.conditions).some(({ type, status: value }) => type === wanted && value === "True");
}

function statusErrors(object: ApiObject, old: ApiObject, now: number): FieldError[] {
  const [status, before] = [fieldsOf(object.status), fieldsOf(old.status)];
  const conditions = objectsOf(status.conditions);
  const wrong = [...outcomeErrors(conditions), ...conditionErrors(conditions, "status.conditions")];
  if (wrong.length > 0) return wrong;
  const unless = (isAllowed: boolean, detail: string): FieldError[] =>
    isAllowed ? [] : [{ type: "FieldValueInvalid", field: "status", detail }];
  const isSame = equalJson(status, before);
  if (terminal.some((type) => isTrue(before, type))) {
    return unless(isSame, "immutable after PodCertificateRequest is issued, denied, or failed");
  }
  if (isTrue(status, "Denied") || isTrue(status, "Failed")) {
    const others = Object.keys(status).filter(
      (key) => key !== "conditions" && isSet(status[key]) && status[key] !== "",
    );
    const detail = "non-condition status fields must be empty when denying or failing the PodCertificateRequest";
    return unless(others.length === 0, detail);
  }
  if (isTrue(status, "Issued")) return issuedErrors(status, fieldsOf(object.spec), now);
  return unless(isSame, 'status is immutable unless transitioning to "Issued", "Denied", or "Failed"');
}

/** Checks that at most one condition contains the outcome of a request. */
function outcomeErrors(conditions: readonly JsonObject[]): FieldError[] {
  let outcomes = 0;
  return conditions.flatMap(({ type, status }, index) => {
    const at = `status.conditions.[${index}]`;
    if (!terminal.includes(textOf(type))) return [notSupported(`${at}.type`, textOf(type), terminal)];
    outcomes++;
    const detail = 'There may be at most one condition with type "Issued", "Denied", or "Failed"';
    return [
      ...(outcomes > 1 ? [invalidValue(`${at}.type`, textOf(type), detail)] : []),
      ...(status === "True" ? [] : [notSupported(`${at}.status`, textOf(status), ["True"])]),
    ];
  });
}
