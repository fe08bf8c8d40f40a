import { generateKeyPairSync, webcrypto } from "node:crypto";

/** A certificate and its key as PEM text. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** Signs the certificates of one test environment. It lives in memory and ends with the environment. */
export interface CertificateAuthority {
  /** PEM text of the authority's certificate. */
  readonly cert: string;
  /** A certificate for servers under these host names and addresses. */
  issueServing(hosts: readonly string[]): Promise<KeyPair>;
  /** A client certificate: the common name is the user's name, each organization a group. */
  issueClient(name: string, groups: readonly string[]): Promise<KeyPair>;
}

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const HOUR = 3_600_000;
// As long as Go's envtest gives its own; a clock that is a little behind must not refuse them.
const VALID_FOR = 168 * HOUR;
const SKEW = HOUR;

// Loading the library takes a quarter of a second, which only those pay who start an environment.
async function loadX509(): Promise<typeof import("@peculiar/x509")> {
  await import("reflect-metadata");
  const x509 = await import("@peculiar/x509");
  x509.cryptoProvider.set("default", webcrypto as typeof globalThis.crypto);
  return x509;
}

/** Makes a new authority with a key of its own. */
export async function createAuthority(): Promise<CertificateAuthority> {
  const x509 = await loadX509();
  const generateKeys = () => webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const validity = () => ({ notBefore: new Date(Date.now() - SKEW), notAfter: new Date(Date.now() + VALID_FOR) });

  const keys = await generateKeys();
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: ["kubewright-envtest"] }],
    keys,
    signingAlgorithm: algorithm,
    ...validity(),
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });

  async function issue(subject: Record<string, string[]>[], usage: string, hosts: readonly string[]): Promise<KeyPair> {
    const own = await generateKeys();
    const names = hosts.map((value) => ({ type: isAddress(value) ? ("ip" as const) : ("dns" as const), value }));
    const certificate = await x509.X509CertificateGenerator.create({
      subject,
      issuer: root.subjectName,
      publicKey: own.publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: algorithm,
      ...validity(),
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([usage]),
        await x509.AuthorityKeyIdentifierExtension.create(keys.publicKey),
        ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : []),
      ],
    });
    const pkcs8 = await webcrypto.subtle.exportKey("pkcs8", own.privateKey);
    return { cert: `${certificate.toString("pem")}\n`, key: `${x509.PemConverter.encode(pkcs8, "PRIVATE KEY")}\n` };
  }

  return {
    cert: `${root.toString("pem")}\n`,
    issueServing: (hosts) => issue([{ CN: [hosts[0] ?? "localhost"] }], x509.ExtendedKeyUsage.serverAuth, hosts),
    issueClient: (name, groups) =>
      issue([...groups.map((group) => ({ O: [group] })), { CN: [name] }], x509.ExtendedKeyUsage.clientAuth, []),
  };
}

/** The keys with which an API server signs and checks service account tokens, as PEM text. */
export function serviceAccountKeys(): { publicKey: string; privateKey: string } {
  return generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
}

function isAddress(host: string): boolean {
  return /^[\d.]+$/.test(host) || host.includes(":");
}
