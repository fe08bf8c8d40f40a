import { createPrivateKey, type webcrypto } from "node:crypto";
import { isIP } from "node:net";
import type { CertificatePair } from "./certificate-pair.ts";
import { algorithm, generateKeys, importSigningKey, loadX509, toPair, validity, type X509 } from "./x509.ts";

/** For how long a certificate is good. */
export interface Validity {
  /** Milliseconds. */
  validFor: number;
  /** When it begins; now by default. */
  now?: Date;
}

export interface AuthorityOptions extends Validity {
  commonName: string;
}

/** Signs certificates. */
export interface CertificateAuthority extends CertificatePair {
  /** A certificate for servers under these host names and addresses; good as long as the authority's own unless said otherwise. */
  issueServing(hosts: readonly string[], validity?: Validity): Promise<CertificatePair>;
  /** A client certificate: the common name is the user's name, each organization a group. */
  issueClient(name: string, groups: readonly string[]): Promise<CertificatePair>;
}

/** Makes a new authority with a key of its own. */
export async function createAuthority({ commonName, validFor, now }: AuthorityOptions): Promise<CertificateAuthority> {
  const x509 = await loadX509();
  const keys = await generateKeys();
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [commonName] }],
    keys,
    signingAlgorithm: algorithm,
    ...validity(validFor, now),
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const pair = await toPair(x509, root, keys.privateKey);
  return authority(x509, root, keys.privateKey, pair, { validFor, now });
}

/** The authority that a certificate and its key make. Throws for text that is neither. */
export async function loadAuthority(pair: CertificatePair, validity: Validity): Promise<CertificateAuthority> {
  const x509 = await loadX509();
  const root = new x509.X509Certificate(pair.cert);
  const key = await importSigningKey(createPrivateKey(pair.key));
  return authority(x509, root, key, pair, validity);
}

function authority(
  x509: X509,
  root: InstanceType<X509["X509Certificate"]>,
  signingKey: webcrypto.CryptoKey,
  pair: CertificatePair,
  own: Validity,
): CertificateAuthority {
  async function issue(
    subject: Record<string, string[]>[],
    usage: string,
    hosts: readonly string[],
    { validFor, now }: Validity = own,
  ): Promise<CertificatePair> {
    const keys = await generateKeys();
    const names = hosts.map((value) => ({ type: isIP(value) ? ("ip" as const) : ("dns" as const), value }));
    const certificate = await x509.X509CertificateGenerator.create({
      subject,
      issuer: root.subjectName,
      publicKey: keys.publicKey,
      signingKey,
      signingAlgorithm: algorithm,
      ...validity(validFor, now),
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([usage]),
        await x509.AuthorityKeyIdentifierExtension.create(root.publicKey),
        ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : []),
      ],
    });
    return toPair(x509, certificate, keys.privateKey);
  }

  return {
    ...pair,
    issueServing: (hosts, validity) =>
      issue([{ CN: [hosts[0] ?? "localhost"] }], x509.ExtendedKeyUsage.serverAuth, hosts, validity),
    issueClient: (name, groups) =>
      issue([...groups.map((group) => ({ O: [group] })), { CN: [name] }], x509.ExtendedKeyUsage.clientAuth, []),
  };
}
