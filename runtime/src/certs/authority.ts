import { isIP } from "node:net";
import type { CertificatePair } from "./certificate-pair.ts";
import { algorithm, generateKeys, loadX509, toPair, validity } from "./x509.ts";

export interface AuthorityOptions {
  commonName: string;
  /** Milliseconds for which its certificate and those it signs are good. */
  validFor: number;
}

/** Signs certificates. Its key stays in memory. */
export interface CertificateAuthority {
  /** PEM text of the authority's certificate. */
  readonly cert: string;
  /** A certificate for servers under these host names and addresses. */
  issueServing(hosts: readonly string[]): Promise<CertificatePair>;
  /** A client certificate: the common name is the user's name, each organization a group. */
  issueClient(name: string, groups: readonly string[]): Promise<CertificatePair>;
}

/** Makes a new authority with a key of its own. */
export async function createAuthority({ commonName, validFor }: AuthorityOptions): Promise<CertificateAuthority> {
  const x509 = await loadX509();
  const keys = await generateKeys();
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [commonName] }],
    keys,
    signingAlgorithm: algorithm,
    ...validity(validFor),
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });

  async function issue(
    subject: Record<string, string[]>[],
    usage: string,
    hosts: readonly string[],
  ): Promise<CertificatePair> {
    const own = await generateKeys();
    const names = hosts.map((value) => ({ type: isIP(value) ? ("ip" as const) : ("dns" as const), value }));
    const certificate = await x509.X509CertificateGenerator.create({
      subject,
      issuer: root.subjectName,
      publicKey: own.publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: algorithm,
      ...validity(validFor),
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([usage]),
        await x509.AuthorityKeyIdentifierExtension.create(keys.publicKey),
        ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : []),
      ],
    });
    return toPair(x509, certificate, own.privateKey);
  }

  return {
    cert: `${root.toString("pem")}\n`,
    issueServing: (hosts) => issue([{ CN: [hosts[0] ?? "localhost"] }], x509.ExtendedKeyUsage.serverAuth, hosts),
    issueClient: (name, groups) =>
      issue([...groups.map((group) => ({ O: [group] })), { CN: [name] }], x509.ExtendedKeyUsage.clientAuth, []),
  };
}
