import { createHmac, randomBytes } from "node:crypto";
import { isSecretCopy, masked, maskedChange, secretTexts } from "@kubewright/runtime/secrets";
import type { KubeObject } from "../client/kube-client.ts";

const key = randomBytes(32);
/** Digests of the values of a masked Secret: they show which values have changed, and never leave the process. */
const digests = new WeakMap<KubeObject, Readonly<Record<string, string>>>();

/** Returns an object without the values of a Secret; other objects as they are. A changed value has another mask. */
export function withoutSecretValues(object: KubeObject, before?: KubeObject): KubeObject {
  if (object.kind !== "Secret" || object.apiVersion !== "v1") return object;
  const old = before && digests.get(before);
  const hidden: Record<string, string> = {};
  const values = (field: "data" | "stringData") => {
    const value = object[field];
    if (typeof value !== "object" || value === null) return {};
    return {
      [field]: Object.fromEntries(
        Object.entries(value).map(([name, secret]) => {
          const digest = createHmac("sha256", key).update(String(secret)).digest("base64");
          hidden[`${field}.${name}`] = digest;
          const previous = old?.[`${field}.${name}`];
          return [name, previous !== undefined && previous !== digest ? maskedChange : masked];
        }),
      ),
    };
  };
  const { annotations } = object.metadata ?? {};
  const copied = annotations && secretTexts(object);
  const metadata = annotations && {
    ...object.metadata,
    annotations: Object.fromEntries(
      Object.entries(annotations).map(([name, value]) => [name, isSecretCopy(value, copied ?? []) ? masked : value]),
    ),
  };
  const shown = { ...object, ...(metadata ? { metadata } : {}), ...values("data"), ...values("stringData") };
  digests.set(shown, hidden);
  return shown;
}

/** Returns whether a document contains the mask instead of a value, so that applying it would destroy the value. */
export function hasMaskedValue(document: KubeObject): boolean {
  return JSON.stringify(document).includes("(hidden");
}
