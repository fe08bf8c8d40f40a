import { createPrivateKey, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import type { CertificatePair } from "../../certs/certificate-pair.ts";
import { backdated } from "../../certs/validity.ts";

/** A certificate with its validity. */
export interface Issued {
  readonly pem: string;
  readonly x509: X509Certificate;
  /** Start of its validity, in milliseconds of the wall clock. */
  readonly from: number;
  /** End of its validity, in milliseconds of the wall clock. */
  readonly to: number;
}

/** The usable content of the Secret. */
export interface CertificateState {
  /** CAs that API servers trust, the newest first. */
  readonly authorities: readonly Issued[];
  /** The key of the newest authority, PEM text. */
  readonly authorityKey: string | undefined;
  readonly serving: (CertificatePair & { readonly issued: Issued }) | undefined;
}

/** The keys of the Secret. */
export interface CertificateData {
  "ca.crt"?: string;
  "ca.key"?: string;
  "tls.crt"?: string;
  "tls.key"?: string;
}

const certificatePattern = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Parses the data of the Secret. Invalid PEM, and pairs whose key doesn't match, count as absent. */
export function readState(data: CertificateData): CertificateState {
  const authorities = readAuthorities(text(data["ca.crt"]));
  const [newest] = authorities;
  const authorityKey = text(data["ca.key"]);
  const cert = text(data["tls.crt"]);
  const key = text(data["tls.key"]);
  const issued = parse(cert);
  return {
    authorities,
    authorityKey: newest && fits(newest, authorityKey) ? authorityKey : undefined,
    serving: issued && fits(issued, key) ? { cert, key, issued } : undefined,
  };
}

/** Parses the CAs in PEM text, without duplicates. */
export function readAuthorities(bundle: string): readonly Issued[] {
  const texts = new Set(bundle.match(certificatePattern));
  return [...texts].flatMap((pem) => parse(`${pem}\n`) ?? []).filter(({ x509 }) => x509.ca);
}

/** Returns the data of the Secret, which {@link readState} parses. */
export function writeState({ authorities, authorityKey, serving }: CertificateState): CertificateData {
  const encode = (value: string): string => Buffer.from(value).toString("base64");
  return {
    "ca.crt": encode(bundleOf(authorities)),
    "ca.key": encode(authorityKey ?? ""),
    "tls.crt": encode(serving?.cert ?? ""),
    "tls.key": encode(serving?.key ?? ""),
  };
}

/** Returns the PEM text of all CAs. */
export function bundleOf(authorities: readonly Issued[]): string {
  return authorities.map(({ pem }) => pem).join("");
}

/** Parses a certificate. Returns `undefined` for invalid text. */
export function parse(pem: string): Issued | undefined {
  try {
    const x509 = new X509Certificate(pem);
    return { pem, x509, from: Date.parse(x509.validFrom) + backdated, to: Date.parse(x509.validTo) };
  } catch {
    return undefined;
  }
}

/** Checks whether an authority signed a certificate. */
export function isIssuedBy(certificate: Issued, authority: Issued): boolean {
  return certificate.x509.checkIssued(authority.x509) && certificate.x509.verify(authority.x509.publicKey);
}

/** Checks whether a certificate is valid for all these host names and IP addresses. */
export function isFor({ x509 }: Issued, hosts: readonly string[]): boolean {
  return hosts.every((host) => (isIP(host) ? x509.checkIP(host) : x509.checkHost(host)) !== undefined);
}

function fits({ x509 }: Issued, key: string): boolean {
  try {
    return x509.checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

function text(value: string | undefined): string {
  return Buffer.from(value ?? "", "base64").toString();
}
