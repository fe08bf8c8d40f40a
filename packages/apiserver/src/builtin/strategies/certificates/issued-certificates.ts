import { createPublicKey, type KeyObject, X509Certificate } from "node:crypto";
import { byteLength, type JsonObject } from "@kubewright/cel/json";
import { type FieldError, invalidValue, required, tooLong } from "@kubewright/cel/validation";
import { isSet, numberOf, textOf } from "../fields/fields.ts";
import { type PemBlock, pemBlocks, requestKey } from "./certificate-requests.ts";

const chainPath = "status.certificateChain";
const longestChain = 100 * 1024;
const minute = 60 * 1000;
const times = ["notBefore", "notAfter", "beginRefreshAt"] as const;

/**
 * Checks the certificate that a signer issued for a Pod.
 *
 * @param status - the status of the request
 * @param spec - its specification, which has been checked
 * @param now - milliseconds since the epoch
 * @returns the errors
 */
export function issuedErrors(status: JsonObject, spec: JsonObject, now: number): FieldError[] {
  const chain = textOf(status.certificateChain);
  if (byteLength(chain) > longestChain) return [tooLong(chainPath, longestChain)];
  const bad = (detail: string): FieldError[] => [invalidValue(chainPath, chain, detail)];
  const [block, ...others] = pemBlocks(chain);
  if (block === undefined) return bad("issued certificate chain must contain at least one certificate");
  if (block.type !== "CERTIFICATE") {
    return bad("issued certificate chain must consist entirely of CERTIFICATE PEM blocks");
  }
  const leaf = certificateOf(block);
  if (leaf === undefined) return bad("leaf certificate does not parse as valid X.509");
  if (!leaf.publicKey.equals(requestedKey(spec))) {
    return bad("leaf certificate was not issued to the requested public key");
  }
  const wrong = timeErrors(status, spec, leaf, now);
  if (wrong.length > 0) return wrong;
  for (const other of others) {
    if (other.type !== "CERTIFICATE") {
      return bad("issued certificate chain must consist entirely of CERTFICATE PEM blocks");
    }
    if (certificateOf(other) === undefined) return bad("intermediate certificate does not parse as valid X.509");
  }
  return [];
}

function certificateOf({ der }: PemBlock): X509Certificate | undefined {
  try {
    return new X509Certificate(der);
  } catch {
    return undefined;
  }
}

function requestedKey({ stubPKCS10Request, pkixPublicKey }: JsonObject): KeyObject {
  const stub = textOf(stubPKCS10Request);
  if (stub !== "") return requestKey(Buffer.from(stub, "base64"));
  return createPublicKey({ key: Buffer.from(textOf(pkixPublicKey), "base64"), format: "der", type: "spki" });
}

function timeErrors(status: JsonObject, spec: JsonObject, leaf: X509Certificate, now: number): FieldError[] {
  const consistent = "must be present and consistent with the issued certificate";
  const missing = times.filter((name) => !isSet(status[name]));
  if (missing.length > 0) {
    return missing.map((name) =>
      required(
        `status.${name}`,
        name === "beginRefreshAt" ? "must be present and in the range [notbefore+10min, notafter-10min]" : consistent,
      ),
    );
  }
  const at = (name: (typeof times)[number]): number => Date.parse(textOf(status[name]));
  const bad = (name: (typeof times)[number], detail: string): FieldError[] => [
    invalidValue(`status.${name}`, textOf(status[name]), detail),
  ];
  const [from, to] = [Date.parse(leaf.validFrom), Date.parse(leaf.validTo)];
  if (at("notBefore") !== from)
    return bad("notBefore", "must be set to the NotBefore time encoded in the leaf certificate");
  if (Math.abs(from - now) >= 5 * minute) {
    return bad("notBefore", "must be set to within 5 minutes of kube-apiserver's current time");
  }
  if (at("notAfter") !== to) return bad("notAfter", "must be set to the NotAfter time encoded in the leaf certificate");
  const lifetime = to - from;
  const seconds = numberOf(spec.maxExpirationSeconds);
  if (lifetime < 60 * minute) {
    return [invalidValue(chainPath, lifetime * 1e6, "leaf certificate lifetime must be >= 1 hour")];
  }
  if (lifetime > seconds * 1000) {
    const detail = `leaf certificate lifetime must be <= spec.maxExpirationSeconds (${seconds})`;
    return [invalidValue(chainPath, lifetime * 1e6, detail)];
  }
  if (at("beginRefreshAt") < from + 10 * minute) {
    return bad("beginRefreshAt", "must be at least 10 minutes after status.notBefore");
  }
  if (at("beginRefreshAt") > to - 10 * minute) {
    return bad("beginRefreshAt", "must be at least 10 minutes before status.notAfter");
  }
  return [];
}
