import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";

interface PemBlock {
  type: string;
  bytes: Buffer;
}

const keyTypes = ["rsa", "ec", "ed25519"];

/**
 * Checks a certificate and its private key as Go's `tls.X509KeyPair` does.
 *
 * @param certificates - the certificates in PEM, the one of the key first
 * @param key - the private key in PEM
 * @returns the message of Go's error, or `undefined` if the key is that of the certificate
 */
export function keyPairProblem(certificates: string, key: string): string | undefined {
  const certificateBlocks = pemBlocks(certificates);
  const own = certificateBlocks.find(({ type }) => type === "CERTIFICATE");
  if (own === undefined) return `tls: ${noCertificate(certificateBlocks.map(({ type }) => type))}`;
  const keyBlocks = pemBlocks(key);
  const block = keyBlocks.find(({ type }) => /^(.* )?PRIVATE KEY$/.test(type));
  if (block === undefined) return `tls: ${noKey(keyBlocks.map(({ type }) => type))}`;
  const certificate = parseCertificate(own.bytes);
  if (certificate === undefined) return "x509: malformed certificate";
  const privateKey = parseKey(block.bytes);
  if (privateKey === undefined) return "tls: failed to parse private key";
  const [publicType = "", privateType = ""] = [certificate.publicKey.asymmetricKeyType, privateKey.asymmetricKeyType];
  if (!keyTypes.includes(privateType)) return "tls: found unknown private key type in PKCS#8 wrapping";
  if (!keyTypes.includes(publicType)) return "tls: unknown public key algorithm";
  if (publicType !== privateType) return "tls: private key type does not match public key type";
  return certificate.checkPrivateKey(privateKey) ? undefined : "tls: private key does not match public key";
}

function pemBlocks(text: string): PemBlock[] {
  const blocks = text.matchAll(
    /(?<=^|\n)-----BEGIN ([^\n]*?)-----[ \t\r]*\n(?:[^\n:]+:[^\n]*\n)*([A-Za-z0-9+/=\s]*?)-----END \1-----/g,
  );
  return [...blocks].map(([, type = "", body = ""]) => ({ type, bytes: Buffer.from(body, "base64") }));
}

function noCertificate(types: readonly string[]): string {
  if (types.length === 0) return "failed to find any PEM data in certificate input";
  if (types.length === 1 && types[0]?.endsWith("PRIVATE KEY")) {
    return "failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched";
  }
  return `failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${types.join(" ")}]`;
}

function noKey(types: readonly string[]): string {
  if (types.length === 0) return "failed to find any PEM data in key input";
  if (types.length === 1 && types[0] === "CERTIFICATE") {
    return "found a certificate rather than a key in the PEM for the private key";
  }
  return `failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${types.join(" ")}]`;
}

function parseCertificate(bytes: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(bytes);
  } catch {
    return undefined;
  }
}

/** The type of the PEM block doesn't decide about the format, because old tools write the wrong one. */
function parseKey(key: Buffer): KeyObject | undefined {
  for (const type of ["pkcs1", "pkcs8", "sec1"] as const) {
    try {
      return createPrivateKey({ key, format: "der", type });
    } catch {
      // The key may be in another format.
    }
  }
  return undefined;
}
