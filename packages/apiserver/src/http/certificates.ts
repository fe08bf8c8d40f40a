import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from "node:crypto";
import { isIPv4, isIPv6, SocketAddress } from "node:net";

/** A certificate and its key, in PEM. */
export interface CertificatePair {
  cert: string;
  key: string;
}

/** The subject and the purpose of a certificate. */
interface Content {
  commonName: string;
  organizations?: readonly string[];
  ca?: boolean;
  usage?: "server" | "client";
  hosts?: readonly string[];
  /** Milliseconds since the epoch. */
  now: number;
}

const day = 86_400_000;
/** A server can run for years, and its certificates aren't renewed while it runs. */
const validity = 3650 * day;
/** The clock of a computer can be set back while the server runs. */
const backdated = 365 * day;

/** A certificate authority with its own key, which exists only in memory. */
export class Authority {
  readonly #pair: CertificatePair;
  readonly #key: KeyObject;
  readonly #name: Buffer;
  readonly #now: () => number;

  /**
   * Creates a new authority.
   *
   * @param commonName - the name of the authority
   * @param now - returns the time in milliseconds since the epoch
   */
  constructor(commonName: string, now: () => number) {
    this.#now = now;
    this.#pair = issue({ commonName, ca: true, now: now() });
    this.#key = createPrivateKey(this.#pair.key);
    this.#name = distinguishedName({ commonName, now: 0 });
  }

  /** The certificate of the authority, in PEM. */
  get cert(): string {
    return this.#pair.cert;
  }

  /** Returns a certificate for a server with these host names and addresses. */
  issueServing(hosts: readonly string[]): CertificatePair {
    const content = { commonName: hosts[0] as string, usage: "server", hosts, now: this.#now() } as const;
    return issue(content, { name: this.#name, key: this.#key });
  }

  /** Returns a certificate for a user: the common name is the user's name, each organization is a group. */
  issueClient(commonName: string, organizations: readonly string[]): CertificatePair {
    const content = { commonName, organizations, usage: "client", now: this.#now() } as const;
    return issue(content, { name: this.#name, key: this.#key });
  }
}

// The few forms of DER (ITU-T X.690) that certificates need. A library for ASN.1 takes 45 ms to load, a sixth of the time
// in which the server has to be ready. The runtime uses that library, because its certificates also have key identifiers and
// are renewed. This package can't import the runtime, which depends on it.
function tagged(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const size = Buffer.from(length.toString(16).padStart(length > 0xff ? 4 : 2, "0"), "hex");
  return Buffer.concat([Buffer.from([tag, 0x80 | size.length]), size, content]);
}

const sequence = (...parts: Uint8Array[]): Buffer => tagged(0x30, ...parts);
const set = (...parts: Uint8Array[]): Buffer => tagged(0x31, ...parts);
const octets = (content: Uint8Array): Buffer => tagged(0x04, content);
const bits = (content: Uint8Array, unused = 0): Buffer => tagged(0x03, Buffer.from([unused]), content);
const truth = tagged(0x01, Buffer.from([0xff]));

function objectId(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split(".").map(Number);
  const bytes = [first * 40 + second];
  for (const number of rest) {
    const groups = [number & 0x7f];
    for (let high = number >>> 7; high > 0; high >>>= 7) groups.unshift((high & 0x7f) | 0x80);
    bytes.push(...groups);
  }
  return tagged(0x06, Buffer.from(bytes));
}

const ecdsaWithSha256 = sequence(objectId("1.2.840.10045.4.3.2"));

function distinguishedName({ commonName, organizations = [] }: Content): Buffer {
  const part = (id: string, text: string): Buffer => set(sequence(objectId(id), tagged(0x0c, Buffer.from(text))));
  return sequence(...organizations.map((organization) => part("2.5.4.10", organization)), part("2.5.4.3", commonName));
}

/** UTCTime, or GeneralizedTime from 2050 on. */
function time(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().replace(/[-:T]|\.\d+/g, "");
  return Number(digits.slice(0, 4)) < 2050
    ? tagged(0x17, Buffer.from(digits.slice(2)))
    : tagged(0x18, Buffer.from(digits));
}

function extension(id: string, value: Uint8Array, critical = false): Buffer {
  return sequence(objectId(id), ...(critical ? [truth] : []), octets(value));
}

function extensions({ ca = false, usage, hosts = [] }: Content): Buffer {
  const list = [
    extension("2.5.29.19", ca ? sequence(truth) : sequence(), true),
    // digitalSignature, and keyCertSign for an authority.
    extension("2.5.29.15", ca ? bits(Buffer.from([0x84]), 2) : bits(Buffer.from([0x80]), 7), true),
  ];
  if (usage !== undefined) {
    list.push(extension("2.5.29.37", sequence(objectId(`1.3.6.1.5.5.7.3.${usage === "server" ? 1 : 2}`))));
  }
  if (hosts.length > 0) list.push(extension("2.5.29.17", sequence(...hosts.map(alternativeName))));
  return tagged(0xa3, sequence(...list));
}

function alternativeName(host: string): Buffer {
  if (isIPv4(host)) return tagged(0x87, Buffer.from(host.split(".").map(Number)));
  if (isIPv6(host)) return tagged(0x87, addressBytes(host));
  return tagged(0x82, Buffer.from(host));
}

function addressBytes(address: string): Buffer {
  const [head = "", tail] = new SocketAddress({ address, family: "ipv6" }).address.split("::");
  const words = (text: string | undefined): string[] => (text ? text.split(":") : []);
  const start = words(head);
  const end = words(tail);
  const middle = Array<string>(8 - start.length - end.length).fill("0");
  return Buffer.from([...start, ...middle, ...end].map((word) => word.padStart(4, "0")).join(""), "hex");
}

/** Creates a certificate for a new P-256 key, signed by the issuer or by itself. */
function issue(content: Content, issuer?: { name: Buffer; key: KeyObject }): CertificatePair {
  const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const serial = randomBytes(16);
  // Positive, and without a leading zero.
  serial[0] = ((serial[0] as number) & 0x3f) | 0x40;
  const subject = distinguishedName(content);
  const toBeSigned = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, serial),
    ecdsaWithSha256,
    issuer?.name ?? subject,
    sequence(time(content.now - backdated), time(content.now + validity)),
    subject,
    keys.publicKey.export({ type: "spki", format: "der" }),
    extensions(content),
  );
  const signature = sign("sha256", toBeSigned, issuer?.key ?? keys.privateKey);
  const certificate = sequence(toBeSigned, ecdsaWithSha256, bits(signature));
  return {
    cert: new X509Certificate(certificate).toString(),
    key: keys.privateKey.export({ type: "pkcs8", format: "pem" }) as string,
  };
}
