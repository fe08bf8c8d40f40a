import { generateKeyPair, type KeyObject, randomBytes, sign, X509Certificate } from "node:crypto";
import { promisify } from "node:util";
import type { CertificatePair } from "./certificate-pair.ts";
import { bitString, contextTag, element, integer, membersOf, oid, sequence, text, time } from "./der.ts";
import { findKeyIdentifier, keyIdentifier } from "./extensions.ts";

/** For how long a certificate is good. */
export interface Validity {
  /** Milliseconds. */
  validFor: number;
  /** When it begins; now by default. */
  now?: Date;
}

export interface Keys {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

/** What a certificate says. Names and extensions are DER. */
export interface CertificateContent extends Validity {
  subject: Buffer;
  issuer: Buffer;
  publicKey: KeyObject;
  extensions: readonly Buffer[];
}

/** Milliseconds by which certificates are good before they are made: a clock that is a little behind must not refuse them. */
export const backdated = 3_600_000;

// Node reads certificates but makes none. This is as much of RFC 5280 as our own authorities need, of one kind of key.
const curve = "prime256v1";
const signatureAlgorithm = sequence(oid("1.2.840.10045.4.3.2"));
const version3 = element(contextTag(0, true), integer(Buffer.from([2])));
const attributes = { commonName: "2.5.4.3", organization: "2.5.4.10" } as const;

/** New keys on the curve P-256, which every client of Kubernetes knows. */
export function generateKeys(): Promise<Keys> {
  return promisify(generateKeyPair)("ec", { namedCurve: curve });
}

/** Throws an `Error` for a key that is none of {@link generateKeys}. */
export function checkKey(key: KeyObject): void {
  if (key.asymmetricKeyDetails?.namedCurve !== curve) {
    throw new Error(`the key of a certificate authority must be ECDSA on P-256, not ${key.asymmetricKeyType}`);
  }
}

/** A distinguished name: its organizations, then the common name. */
export function distinguishedName(commonName: string, organizations: readonly string[] = []): Buffer {
  const attribute = (type: keyof typeof attributes, value: string): Buffer =>
    element("set", sequence(oid(attributes[type]), text(value)));
  return sequence(...organizations.map((name) => attribute("organization", name)), attribute("commonName", commonName));
}

/** Signs a certificate; gives it as PEM text. */
export function issue(content: CertificateContent, signingKey: KeyObject): string {
  const { subject, issuer, publicKey, extensions, validFor, now = new Date() } = content;
  const [notBefore, notAfter] = [-backdated, validFor].map((offset) => time(new Date(now.getTime() + offset)));
  const body = sequence(
    version3,
    integer(serialNumber()),
    signatureAlgorithm,
    issuer,
    sequence(notBefore!, notAfter!),
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    element(contextTag(3, true), sequence(...extensions)),
  );
  const signature = sign("sha256", body, { key: signingKey, dsaEncoding: "der" });
  const base64 = sequence(body, signatureAlgorithm, bitString(signature)).toString("base64");
  return `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/.{1,64}/g, "$&\n")}-----END CERTIFICATE-----\n`;
}

/** A certificate beside its key. */
export function pairOf(cert: string, key: KeyObject): CertificatePair {
  return { cert, key: key.export({ type: "pkcs8", format: "pem" }) as string };
}

/** What certificates say of the one who signed them: its name, and what it calls its key. Throws for text that is no certificate. */
export function issuerOf(pem: string): { name: Buffer; keyIdentifier: Buffer } {
  const { raw, publicKey } = new X509Certificate(pem);
  const [body] = membersOf(raw);
  // The version may be left out; what follows is in one order: serial number, algorithm, issuer, validity, subject.
  const members = membersOf(body!).filter(([tag]) => tag !== contextTag(0, true));
  const extensions = members.find(([tag]) => tag === contextTag(3, true));
  const own = extensions && findKeyIdentifier(membersOf(membersOf(extensions)[0]!));
  return { name: members[4]!, keyIdentifier: own ?? keyIdentifier(publicKey) };
}

/** At most 20 bytes, positive, and never the same twice. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0]! & 0x7f) | 0x40;
  return bytes;
}
