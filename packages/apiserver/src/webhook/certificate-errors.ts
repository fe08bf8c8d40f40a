import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import type { PeerCertificate, TLSSocket } from "node:tls";

/**
 * Verifies the certificate of a server in the order and with the messages of Go's `crypto/x509`: time, name, authority.
 *
 * @param socket - a connection whose handshake is complete
 * @param name - the host name or address that the certificate must be valid for
 * @param now - milliseconds since the epoch
 * @param bundle - the certificates of authorities in PEM; undefined for those of the system
 * @returns the problem, or undefined for a certificate that is valid
 */
export function certificateProblem(
  socket: TLSSocket,
  name: string,
  now: number,
  bundle: string | undefined,
): string | undefined {
  const problem = leafProblem(socket, name, now, bundle ?? "");
  return problem === undefined ? undefined : `tls: failed to verify certificate: x509: ${problem}`;
}

function leafProblem(socket: TLSSocket, name: string, now: number, bundle: string): string | undefined {
  const leaf = socket.getPeerCertificate();
  if (leaf.valid_from === undefined) return "certificate signed by unknown authority";
  const time = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
  const from = Date.parse(leaf.valid_from);
  const to = Date.parse(leaf.valid_to);
  const outdated = "certificate has expired or is not yet valid: current time";
  if (now < from) return `${outdated} ${time(now)} is before ${time(from)}`;
  if (now > to) return `${outdated} ${time(now)} is after ${time(to)}`;
  return nameProblem(leaf, name) ?? authorityProblem(socket, bundle);
}

function authorityProblem(socket: TLSSocket, bundle: string): string | undefined {
  if (socket.authorized) return undefined;
  const problem = "certificate signed by unknown authority";
  const leaf = socket.getPeerX509Certificate();
  // An authority with the expected name but another key is probably an old one.
  const candidate = leaf && authorities(bundle).find(({ subject }) => subject === leaf.issuer);
  if (leaf === undefined || candidate === undefined || leaf.verify(candidate.publicKey)) return problem;
  const isRsa = candidate.publicKey.asymmetricKeyType === "rsa";
  const reason = isRsa ? "crypto/rsa: verification error" : "x509: ECDSA verification failure";
  const name = /^CN=(.*)$/m.exec(candidate.subject)?.[1] ?? /^O=(.*)$/m.exec(candidate.subject)?.[1] ?? "";
  return `${problem} (possibly because of "${reason}" while trying to verify candidate authority certificate "${name}")`;
}

function authorities(bundle: string): X509Certificate[] {
  const blocks = bundle.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((pem) => new X509Certificate(pem));
}

function nameProblem(leaf: PeerCertificate, name: string): string | undefined {
  const names = alternativeNames(leaf.subjectaltname ?? "");
  const listed = isIP(name) !== 0 ? names.addresses : names.hosts;
  const matches =
    isIP(name) !== 0
      ? listed.some((address) => sameAddress(address, name))
      : listed.some((pattern) => matchesHost(pattern.toLowerCase(), name.toLowerCase().replace(/\.$/, "")));
  if (matches) return undefined;
  const hasNames = names.hosts.length > 0 || names.addresses.length > 0;
  const common = leaf.subject?.CN;
  if (!hasNames && typeof common === "string" && matchesHost(common.toLowerCase(), name.toLowerCase())) {
    return "certificate relies on legacy Common Name field, use SANs instead";
  }
  if (isIP(name) !== 0 && listed.length === 0) {
    return `cannot validate certificate for ${name} because it doesn't contain any IP SANs`;
  }
  if (listed.length === 0) return `certificate is not valid for any names, but wanted to match ${name}`;
  return `certificate is valid for ${listed.join(", ")}, not ${name}`;
}

function alternativeNames(text: string): { hosts: string[]; addresses: string[] } {
  const hosts: string[] = [];
  const addresses: string[] = [];
  for (const part of text.split(", ")) {
    const [, kind, value = ""] = /^(DNS|IP Address):(.*)$/.exec(part) ?? [];
    if (kind === "DNS") hosts.push(value.replace(/^"|"$/g, ""));
    if (kind === "IP Address") addresses.push(canonicalAddress(value));
  }
  return { hosts, addresses };
}

/** Brings an address into the shortest form, which Go prints. */
function canonicalAddress(address: string): string {
  if (isIP(address) !== 6) return address;
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

function sameAddress(a: string, b: string): boolean {
  return canonicalAddress(a) === canonicalAddress(b);
}

/** Reports whether a host name matches a pattern, whose first label may be `*`. */
function matchesHost(pattern: string, host: string): boolean {
  if (pattern === host) return true;
  if (!pattern.startsWith("*.")) return false;
  const dot = host.indexOf(".");
  return dot > 0 && host.slice(dot) === pattern.slice(1);
}
