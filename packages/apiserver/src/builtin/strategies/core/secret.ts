import { isObject, type Json, type JsonObject, jsonKind, jsonProblem } from "@kubewright/cel/json";
import { type FieldError, invalidValue, isConfigMapKey, required, tooLong } from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { keyPairProblem } from "../../../validation/key-pair.ts";
import { fieldsOf, textOf } from "../fields/fields.ts";
import { immutableErrors, maxDataBytes } from "./config-map.ts";

const accountName = "kubernetes.io/service-account.name";

function validate(object: ApiObject): FieldError[] {
  const errors: FieldError[] = [];
  const data = (object.data ?? {}) as JsonObject;
  let size = 0;
  for (const key of Object.keys(data).sort()) {
    for (const problem of isConfigMapKey(key)) errors.push(invalidValue(`data[${key}]`, key, problem));
    size += Buffer.byteLength((data[key] as string | null) ?? "", "base64");
  }
  if (size > maxDataBytes) errors.push(tooLong("data", maxDataBytes));
  return [...errors, ...typeErrors(object, data)];
}

function typeErrors(object: ApiObject, data: JsonObject): FieldError[] {
  const has = (key: string): boolean => Object.hasOwn(data, key);
  const missing = (...keys: string[]): FieldError[] =>
    keys.filter((key) => !has(key)).map((key) => required(`data[${key}]`, ""));
  switch (object.type) {
    case "kubernetes.io/service-account-token":
      return object.metadata.annotations?.[accountName] ? [] : [required(`metadata.annotations[${accountName}]`, "")];
    case "kubernetes.io/dockercfg":
      return dockerErrors(data, ".dockercfg");
    case "kubernetes.io/dockerconfigjson":
      return dockerErrors(data, ".dockerconfigjson");
    case "kubernetes.io/basic-auth":
      return has("username") || has("password") ? [] : missing("username", "password");
    case "kubernetes.io/ssh-auth":
      return data["ssh-privatekey"] ? [] : [required("data[ssh-privatekey]", "")];
    case "kubernetes.io/tls":
      return missing("tls.crt", "tls.key");
    default:
      return [];
  }
}

function dockerErrors(data: JsonObject, key: string): FieldError[] {
  const value = data[key];
  if (typeof value !== "string") return [required(`data[${key}]`, "")];
  const text = Buffer.from(value, "base64").toString("utf8");
  const problem = jsonProblem(text) ?? objectProblem(JSON.parse(text) as Json);
  return problem === undefined ? [] : [invalidValue(`data[${key}]`, "<secret contents redacted>", problem)];
}

function objectProblem(value: Json): string | undefined {
  if (value === null || isObject(value)) return undefined;
  return `json: cannot unmarshal ${jsonKind(value)} into Go value of type map[string]interface {}`;
}

function warnings(object: ApiObject): string[] {
  if (object.type !== "kubernetes.io/tls") return [];
  const data = fieldsOf(object.data);
  const problem = keyPairProblem(decoded(data["tls.crt"]), decoded(data["tls.key"]));
  return problem === undefined ? [] : [problem];
}

function decoded(value: Json | undefined): string {
  return Buffer.from(textOf(value), "base64").toString("latin1");
}

/** The rules of Secrets. */
export const secret: Strategy = {
  prepareForUpdate(object, old) {
    // Clients that read an object without its type may write it back.
    if (!object.type) object.type = old.type ?? "Opaque";
  },
  validate,
  validateUpdate(object, old) {
    const typed = object.type === old.type ? [] : [invalidValue("type", object.type, "field is immutable")];
    return [...typed, ...immutableErrors(object, old, ["data"]), ...validate(object)];
  },
  warningsOnCreate: warnings,
  warningsOnUpdate: warnings,
};
