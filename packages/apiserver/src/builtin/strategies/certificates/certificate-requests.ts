import { createPublicKey, type KeyObject, verify, X509Certificate } from "node:crypto";

/** A block of a text in PEM. */
export interface PemBlock {
  type: string;
  hasHeaders: boolean;
  der: Buffer;
}

/** Reads the PEM blocks in a text that is encoded in base64. */
function encodedBlocks(encoded: string): PemBlock[] {
  return pemBlocks(Buffer.from(encoded, "base64").toString("latin1"));
}

/** Reads the PEM blocks in a text. */
export function pemBlocks(text: string): PemBlock[] {
  const ends = endsIn(text);
  const blocks: PemBlock[] = [];
  const begin = /-----BEGIN ([^-\n]*)-----\r?\n/g;
  for (let match = begin.exec(text); match !== null; match = begin.exec(text)) {
    const [, type = ""] = match;
    const ofType = ends.get(type) ?? [];
    while (ofType.length > 0 && (ofType.at(-1) as number) < begin.lastIndex) ofType.pop();
    const end = ofType.at(-1);
    if (end === undefined) continue;
    const body = text.slice(begin.lastIndex, end);
    blocks.push({
      type,
      hasHeaders: body.includes(":"),
      der: Buffer.from(body.replace(/^.*:.*$/gm, ""), "base64"),
    });
    begin.lastIndex = end + `-----END ${type}-----`.length;
  }
  return blocks;
}

/** Returns the positions of the ends of PEM blocks by type, the last one first. A search from each begin would take quadratic time. */
function endsIn(text: string): Map<string, number[]> {
  const ends = new Map<string, number[]>();
  for (const { index, 1: type = "" } of text.matchAll(/-----END ([^-\n]*)(?=-----)/g)) {
    const ofType = ends.get(type);
    if (ofType) ofType.push(index);
    else ends.set(type, [index]);
  }
  for (const ofType of ends.values()) ofType.reverse();
  return ends;
}

/**
 * Checks a certificate request (PKCS #10) and its signature.
 *
 * @param request - PEM in base64
 * @returns the problem, or undefined if it is valid
 */
export function requestProblem(request: string): string | undefined {
  const [block] = encodedBlocks(request);
  if (block === undefined || block.type !== "CERTIFICATE REQUEST") return "PEM block type must be CERTIFICATE REQUEST";
  try {
    return signatureProblem(block.der);
  } catch (error) {
    return error instanceof DerError ? error.message : `x509: ${(error as Error).message}`;
  }
}

/**
 * Checks certificates.
 *
 * @param certificate - PEM in base64; empty for no certificate
 * @returns the problem, or undefined if they are valid
 */
export function certificateProblem(certificate: string): string | undefined {
  if (certificate === "") return undefined;
  const blocks = encodedBlocks(certificate);
  if (blocks.length === 0) return "must contain at least one CERTIFICATE PEM block";
  for (const { type, hasHeaders, der } of blocks) {
    if (type !== "CERTIFICATE") return `only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(type)}`;
    if (hasHeaders) return "no PEM block headers are permitted";
    if (der.length === 0) return "found CERTIFICATE PEM block containing 0 certificates";
    try {
      new X509Certificate(der);
    } catch {
      return "x509: malformed certificate";
    }
  }
  return undefined;
}

/** Malformed DER (ITU-T X.690). */
class DerError extends Error {}

interface Element {
  tag: number;
  /** The whole element. */
  bytes: Buffer;
  content: Buffer;
}

function elements(bytes: Buffer): Element[] {
  const list: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at + 1];
    if (first === undefined) throw new DerError("asn1: syntax error: data truncated");
    const sizeBytes = first < 0x80 ? 0 : first & 0x7f;
    if (sizeBytes > 4) throw new DerError("asn1: structure error: length too large");
    let length = first < 0x80 ? first : 0;
    for (let i = 0; i < sizeBytes; i++) length = length * 256 + (bytes[at + 2 + i] ?? 0);
    const start = at + 2 + sizeBytes;
    if (start + length > bytes.length) throw new DerError("asn1: syntax error: data truncated");
    list.push({
      tag: bytes[at] as number,
      bytes: bytes.subarray(at, start + length),
      content: bytes.subarray(start, start + length),
    });
    at = start + length;
  }
  return list;
}

/** The signing algorithms by their object identifiers, in hexadecimal. */
const algorithms: Record<string, string | null> = {
  "2a864886f70d010105": "sha1",
  "2a864886f70d01010b": "sha256",
  "2a864886f70d01010c": "sha384",
  "2a864886f70d01010d": "sha512",
  "2a8648ce3d0401": "sha1",
  "2a8648ce3d040302": "sha256",
  "2a8648ce3d040303": "sha384",
  "2a8648ce3d040304": "sha512",
  "2b6570": null,
};

/** The parts of a certificate request. */
function requestParts(der: Buffer): { info: Element; algorithm: Element; signature: Element; publicKey: Element } {
  const [outer] = elements(der);
  const [info, algorithm, signature] = outer?.tag === 0x30 ? elements(outer.content) : [];
  if (info?.tag !== 0x30 || algorithm?.tag !== 0x30 || signature?.tag !== 0x03) {
    throw new DerError("asn1: structure error: tags don't match");
  }
  const publicKey = elements(info.content)[2];
  if (publicKey === undefined) throw new DerError("asn1: syntax error: sequence truncated");
  return { info, algorithm, signature, publicKey };
}

/**
 * Reads the public key of a certificate request in DER.
 *
 * @throws an error if it isn't a certificate request
 */
export function requestKey(der: Buffer): KeyObject {
  return createPublicKey({ key: requestParts(der).publicKey.bytes, format: "der", type: "spki" });
}

/** Describes what is wrong with the signature of a certificate request in DER. */
export function signatureProblem(der: Buffer): string | undefined {
  const { info, algorithm, signature } = requestParts(der);
  const identifier = elements(algorithm.content)[0]?.content.toString("hex") ?? "";
  const hash = algorithms[identifier];
  if (hash === undefined) return "x509: cannot verify signature: algorithm unimplemented";
  const key = requestKey(der);
  if (verify(hash, info.bytes, key, signature.content.subarray(1))) return undefined;
  if (key.asymmetricKeyType === "rsa") return "crypto/rsa: verification error";
  return key.asymmetricKeyType === "ec" ? "x509: ECDSA verification failure" : "x509: Ed25519 verification failure";
}
