import { constants, createPublicKey, type KeyObject, verify } from "node:crypto";
import { type FieldError, invalidValue, tooLong } from "@kubewright/cel/validation";
import { requestKey, signatureProblem } from "./certificate-requests.ts";

const stubPath = "spec.stubPKCS10Request";
const keyPath = "spec.pkixPublicKey";
const proofPath = "spec.proofOfPossession";
const largest = 10 * 1024;
const unknownType = "unknown public key type; supported types are Ed25519, ECDSA, and RSA";
const curves: Readonly<Record<string, string>> = { prime256v1: "P-256", secp384r1: "P-384", secp521r1: "P-521" };

/** Creates an error whose message doesn't show the value. */
function withoutValue(field: string, detail: string): FieldError[] {
  return [{ type: "FieldValueInvalid", field, detail }];
}

/** Describes why a key can't be certified: the value in the message, and the rule. */
function keyProblem(key: KeyObject, ellipticRule: string): { value?: string; detail: string } | undefined {
  const { namedCurve = "", modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  switch (key.asymmetricKeyType) {
    case "ed25519":
      return undefined;
    case "ec":
      return curves[namedCurve] === undefined ? { value: `curve ${namedCurve}`, detail: ellipticRule } : undefined;
    case "rsa": {
      const size = Math.ceil(modulusLength / 8) * 8;
      if (size === 3072 || size === 4096) return undefined;
      return { value: `${size}-bit modulus`, detail: "RSA keys must have modulus size 3072 or 4096" };
    }
    default:
      return { detail: unknownType };
  }
}

/** Checks a certificate request (PKCS #10) in DER, and its signature. */
export function stubRequestErrors(der: Buffer): FieldError[] {
  if (der.length > largest) return [tooLong(stubPath, largest)];
  let key: KeyObject;
  try {
    key = requestKey(der);
  } catch {
    return withoutValue(stubPath, "must be a valid PKCS#10 CSR");
  }
  const problem = keyProblem(key, "elliptic public keys must use curve P256, P384, or P521");
  if (problem?.value !== undefined) return [invalidValue(stubPath, problem.value, problem.detail)];
  if (problem !== undefined) return withoutValue(stubPath, problem.detail);
  return signatureProblem(der) === undefined ? [] : withoutValue(stubPath, "invalid signature");
}

/** Checks a public key in DER, and the signature of the UID of the Pod that proves its possession. */
export function publicKeyErrors(der: Buffer, proof: Buffer, uid: string): FieldError[] {
  if (der.length > largest) return [tooLong(keyPath, largest)];
  if (proof.length > largest) return [tooLong(proofPath, largest)];
  const shown = der.toString("base64");
  let key: KeyObject;
  try {
    key = createPublicKey({ key: der, format: "der", type: "spki" });
  } catch {
    return [invalidValue(keyPath, shown, "must be a valid PKIX-serialized public key")];
  }
  const problem = keyProblem(key, "elliptic public keys must use curve P256 or P384");
  if (problem !== undefined) return [invalidValue(keyPath, problem.value ?? shown, problem.detail)];
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO };
  const algorithm = key.asymmetricKeyType === "ed25519" ? null : "sha256";
  const isProven = verify(algorithm, Buffer.from(uid), key.asymmetricKeyType === "rsa" ? { key, ...pss } : key, proof);
  return isProven ? [] : withoutValue(proofPath, "could not verify proof-of-possession signature");
}
