// This module loads a large library, so import it dynamically.
import { createHash, generateKeyPair, type KeyObject, randomBytes, sign, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { promisify } from "node:util";
import { AsnConvert, OctetString } from "@peculiar/asn1-schema";
import * as asn1 from "@peculiar/asn1-x509";
import type { CertificatePair } from "./certificate-pair.ts";
import { backdated, type Validity } from "./validity.ts";

/** The content of a certificate. */
export interface CertificateContent extends Validity {
  readonly subject: readonly (readonly [keyof typeof attributes, string])[];
  /** Whether the key can sign certificates. */
  readonly ca: boolean;
  /** Extended key usage for TLS; unrestricted by default. */
  readonly usage?: keyof typeof usages;
  /** Host names and IP addresses. */
  readonly hosts?: readonly string[];
}

/** The certificate and key of an authority. */
export interface Issuer {
  readonly certificate: X509Certificate;
  readonly key: KeyObject;
}

// Object identifiers of RFC 4519 and RFC 5758.
const attributes = { CN: "2.5.4.3", O: "2.5.4.10" };
const ecdsaWithSha256 = "1.2.840.10045.4.3.2";

const usages: Record<"server" | "client", string> = { server: asn1.id_kp_serverAuth, client: asn1.id_kp_clientAuth };

/** Creates a certificate for a new P-256 key. It is signed by the issuer, or self-signed without one. */
export async function issueCertificate(content: CertificateContent, issuer?: Issuer): Promise<CertificatePair> {
  const keys = await promisify(generateKeyPair)("ec", { namedCurve: "P-256" });
  const tbsCertificate = toBeSigned(content, keys.publicKey, issuer?.certificate);
  const signature = sign("sha256", der(tbsCertificate), issuer?.key ?? keys.privateKey);
  const certificate = new asn1.Certificate({
    tbsCertificate,
    signatureAlgorithm: tbsCertificate.signature,
    signatureValue: bytes(signature),
  });
  return {
    cert: new X509Certificate(der(certificate)).toString(),
    key: keys.privateKey.export({ type: "pkcs8", format: "pem" }) as string,
  };
}

function toBeSigned(
  content: CertificateContent,
  publicKey: KeyObject,
  issuer: X509Certificate | undefined,
): asn1.TBSCertificate {
  const { validFor, validBefore = backdated, now = new Date() } = content;
  const subject = nameOf(content.subject);
  return new asn1.TBSCertificate({
    version: asn1.Version.v3,
    serialNumber: serialNumber(),
    signature: new asn1.AlgorithmIdentifier({ algorithm: ecdsaWithSha256 }),
    issuer: issuer ? AsnConvert.parse(issuer.raw, asn1.Certificate).tbsCertificate.subject : subject,
    subject,
    validity: new asn1.Validity({
      notBefore: new Date(now.getTime() - validBefore),
      notAfter: new Date(now.getTime() + validFor),
    }),
    subjectPublicKeyInfo: keyInfo(publicKey),
    extensions: new asn1.Extensions([...constraints(content), ...identifiers(publicKey, issuer), ...purposes(content)]),
  });
}

function constraints({ ca }: CertificateContent): asn1.Extension[] {
  const { digitalSignature, keyCertSign } = asn1.KeyUsageFlags;
  const usage = new asn1.KeyUsage(ca ? digitalSignature | keyCertSign : digitalSignature);
  return [
    extension(asn1.id_ce_basicConstraints, new asn1.BasicConstraints({ cA: ca }), { critical: true }),
    extension(asn1.id_ce_keyUsage, usage, { critical: true }),
  ];
}

/**
 * Returns the key identifiers, which identify the issuer if several authorities have the same name, for example after a key
 * rotation.
 */
function identifiers(publicKey: KeyObject, issuer: X509Certificate | undefined): asn1.Extension[] {
  const own = extension(asn1.id_ce_subjectKeyIdentifier, new asn1.SubjectKeyIdentifier(keyIdentifier(publicKey)));
  if (!issuer) return [own];
  const keyIdentifierOfIssuer = new asn1.KeyIdentifier(keyIdentifier(issuer.publicKey));
  const theirs = new asn1.AuthorityKeyIdentifier({ keyIdentifier: keyIdentifierOfIssuer });
  return [own, extension(asn1.id_ce_authorityKeyIdentifier, theirs)];
}

function purposes({ usage, hosts = [] }: CertificateContent): asn1.Extension[] {
  const names = hosts.map((host) => new asn1.GeneralName(isIP(host) ? { iPAddress: host } : { dNSName: host }));
  return [
    ...(usage ? [extension(asn1.id_ce_extKeyUsage, new asn1.ExtendedKeyUsage([usages[usage]]))] : []),
    ...(names.length > 0 ? [extension(asn1.id_ce_subjectAltName, new asn1.SubjectAlternativeName(names))] : []),
  ];
}

function extension(extnID: string, value: unknown, { critical = false } = {}): asn1.Extension {
  return new asn1.Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
}

function nameOf(subject: CertificateContent["subject"]): asn1.Name {
  return new asn1.Name(
    subject.map(([type, text]) => {
      const value = new asn1.AttributeValue({ utf8String: text });
      return new asn1.RelativeDistinguishedName([new asn1.AttributeTypeAndValue({ type: attributes[type], value })]);
    }),
  );
}

function keyInfo(key: KeyObject): asn1.SubjectPublicKeyInfo {
  return AsnConvert.parse(key.export({ type: "spki", format: "der" }), asn1.SubjectPublicKeyInfo);
}

/** Returns the key identifier by the first method of RFC 5280, section 4.2.1.2. */
function keyIdentifier(key: KeyObject): ArrayBuffer {
  return bytes(
    createHash("sha1")
      .update(Buffer.from(keyInfo(key).subjectPublicKey))
      .digest(),
  );
}

/**
 * Returns a serial number with 126 random bits. Its first byte makes it positive, with the minimal length that DER requires.
 */
function serialNumber(): ArrayBuffer {
  const random = randomBytes(16);
  random[0] = ((random[0] as number) & 0x3f) | 0x40;
  return bytes(random);
}

function der(value: unknown): Buffer {
  return Buffer.from(AsnConvert.serialize(value));
}

function bytes(buffer: Buffer): ArrayBuffer {
  return new Uint8Array(buffer).buffer;
}
