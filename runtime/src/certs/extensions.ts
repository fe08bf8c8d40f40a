import { createHash, type KeyObject } from "node:crypto";
import { isIP } from "node:net";
import { bitString, contentOf, contextTag, element, membersOf, oid, sequence, yes } from "./der.ts";

// The extensions of certificates (RFC 5280, 4.2.1) that those of operators need.

const subjectKeyId = oid("2.5.29.14");
const usages = { serverAuth: "1.3.6.1.5.5.7.3.1", clientAuth: "1.3.6.1.5.5.7.3.2" } as const;

export type ExtendedKeyUsage = keyof typeof usages;

/** Whether the certificate may sign others. */
export function basicConstraints(isAuthority: boolean): Buffer {
  return critical("2.5.29.19", isAuthority ? sequence(yes) : sequence());
}

/** What the key may do: sign what is said, and certificates where `isAuthority`. */
export function keyUsage(isAuthority: boolean): Buffer {
  // The first bit is digitalSignature, the sixth keyCertSign; zeros at the end don't count.
  return critical("2.5.29.15", isAuthority ? bitString(Buffer.from([0x84]), 2) : bitString(Buffer.from([0x80]), 7));
}

export function extendedKeyUsage(usage: ExtendedKeyUsage): Buffer {
  return extension(oid("2.5.29.37"), sequence(oid(usages[usage])));
}

/** Host names and addresses. Throws an `Error` for a name that isn't written in ASCII. */
export function subjectAltName(hosts: readonly string[]): Buffer {
  const names = hosts.map((host) => {
    if (isIP(host)) return element(contextTag(7, false), addressBytes(host));
    if (!/^[!-~]+$/.test(host)) {
      throw new Error(
        `the host name ${JSON.stringify(host)} of a certificate must be ASCII, as in xn--bcher-kva.example`,
      );
    }
    return element(contextTag(2, false), Buffer.from(host, "latin1"));
  });
  return extension(oid("2.5.29.17"), sequence(...names));
}

export function subjectKeyIdentifier(publicKey: KeyObject): Buffer {
  return extension(subjectKeyId, element("octetString", keyIdentifier(publicKey)));
}

/** Tells apart authorities of the same name. */
export function authorityKeyIdentifier(identifier: Uint8Array): Buffer {
  return extension(oid("2.5.29.35"), sequence(element(contextTag(0, false), identifier)));
}

/** What a certificate calls its key; `undefined` where it doesn't. `extensions` are the members of its list. */
export function findKeyIdentifier(extensions: readonly Buffer[]): Buffer | undefined {
  const found = extensions.map(membersOf).find(([id]) => id?.equals(subjectKeyId));
  return found && contentOf(contentOf(found.at(-1)!));
}

/** The SHA-1 of the key's bits, as everybody does it (RFC 5280, 4.2.1.2): a name, nothing that is to be trusted. */
export function keyIdentifier(publicKey: KeyObject): Buffer {
  const bits = membersOf(publicKey.export({ type: "spki", format: "der" }))[1]!;
  return createHash("sha1").update(contentOf(bits).subarray(1)).digest();
}

function extension(id: Buffer, value: Buffer): Buffer {
  return sequence(id, element("octetString", value));
}

function critical(id: string, value: Buffer): Buffer {
  return sequence(oid(id), yes, element("octetString", value));
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split(".").map(Number));
  // A URL writes each address one way: hexadecimal groups, at most one run of zeros left out, no zone.
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, "")}]`);
  const [head = [], tail = []] = hostname
    .slice(1, -1)
    .split("::")
    .map((groups) => groups.split(":").filter((group) => group !== ""));
  const zeros = new Array<string>(8 - head.length - tail.length).fill("0");
  const groups = [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
  return Buffer.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}
