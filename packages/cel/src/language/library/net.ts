import { goQuote } from "../../json/go-text.ts";
import { formatIP, isMapped } from "../../validation/ip.ts";
import { type IPAddress, IPSyntaxError, parseAddress } from "../../validation/ip-text.ts";
import { define, type Functions } from "../declarations/function.ts";
import { EvaluationError, noSuchOverload } from "../values/evaluation-error.ts";
import { ArrayList, EntryMap, OpaqueValue, type Value } from "../values/value.ts";

class Address extends OpaqueValue {
  readonly typeName = "net.IP";
  readonly bytes: readonly number[];

  constructor(bytes: readonly number[]) {
    super();
    this.bytes = bytes;
  }

  /** Costs are computed from the number of bytes. */
  get size(): number {
    return this.bytes.length;
  }

  equals(other: Address): boolean {
    return formatIP(this.bytes) === formatIP(other.bytes);
  }
}

class Prefix extends OpaqueValue {
  readonly typeName = "net.CIDR";
  readonly address: Address;
  readonly bits: number;

  constructor(address: Address, bits: number) {
    super();
    this.address = address;
    this.bits = bits;
  }

  /** Costs are computed from the number of bytes of the prefix. */
  get size(): number {
    return Math.ceil(this.bits / 8);
  }

  equals(other: Prefix): boolean {
    return this.bits === other.bits && this.address.equals(other.address);
  }

  masked(): Prefix {
    const bytes = this.address.bytes.map((byte, index) => {
      const kept = Math.min(8, Math.max(0, this.bits - 8 * index));
      return byte & (0xff << (8 - kept)) & 0xff;
    });
    return new Prefix(new Address(bytes), this.bits);
  }

  contains(address: Address): boolean {
    if (address.bytes.length !== this.address.bytes.length) return false;
    return new Prefix(address, this.bits).masked().equals(this.masked());
  }
}

/** Parses an address in Go's words; `wrap` creates the message from Go's. */
function parse(text: string, wrap: (problem: string) => string): IPAddress {
  try {
    return parseAddress(text);
  } catch (error) {
    if (!(error instanceof IPSyntaxError)) throw error;
    throw new EvaluationError(wrap(error.message));
  }
}

const mappedProblem = (text: string): string => `IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`;

function address(text: string): Address {
  const { bytes, zone } = parse(
    text,
    (problem) => `IP Address ${goQuote(text)} parse error during conversion from string: ${problem}`,
  );
  if (zone !== "") throw new EvaluationError(`IP address ${goQuote(text)} with zone value is not allowed`);
  if (isMapped(bytes)) throw new EvaluationError(mappedProblem(text));
  return new Address(bytes);
}

const prefixProblem = (problem: string): string =>
  `network address parse error during conversion from string: ${problem}`;

function prefix(text: string): Prefix {
  const message = (problem: string): string =>
    prefixProblem(prefixProblem(`netip.ParsePrefix(${goQuote(text)}): ${problem}`));
  const failed = (problem: string): EvaluationError => new EvaluationError(message(problem));
  const slash = text.lastIndexOf("/");
  if (slash < 0) throw failed("no '/'");
  const { bytes, zone } = parse(text.slice(0, slash), message);
  if (zone !== "") throw failed("IPv6 zones cannot be present in a prefix");
  const bits = text.slice(slash + 1);
  if (!/^(0|[1-9]\d*)$/.test(bits)) throw failed(`bad bits after slash: ${goQuote(bits)}`);
  if (Number(bits) > bytes.length * 8) throw failed("prefix length out of range");
  if (isMapped(bytes)) throw new EvaluationError(prefixProblem(mappedProblem(text)));
  return new Prefix(new Address(bytes), Number(bits));
}

function succeeds(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch (error) {
    if (error instanceof EvaluationError) return false;
    throw error;
  }
}

const starts = (bytes: readonly number[], first: number, second: number, mask: number) =>
  bytes[0] === first && ((bytes[1] as number) & mask) === second;

/** Parses a text that stands for an operand: an invalid one counts as an operand of another type. */
function asOperand<T>(parse: () => T): T {
  try {
    return parse();
  } catch {
    throw noSuchOverload();
  }
}

function linkLocalMulticast({ bytes }: Address): boolean {
  if (bytes.length === 4) return bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0;
  return bytes[0] === 0xff && ((bytes[1] as number) & 0x0f) === 2;
}

function linkLocalUnicast({ bytes }: Address): boolean {
  return bytes.length === 4 ? starts(bytes, 169, 254, 0xff) : starts(bytes, 0xfe, 0x80, 0xc0);
}

const unspecified = ({ bytes }: Address): boolean => bytes.every((byte) => byte === 0);
const loopback = ({ bytes }: Address): boolean =>
  bytes.length === 4 ? bytes[0] === 127 : bytes.slice(0, 15).every((byte) => byte === 0) && bytes[15] === 1;

function globalUnicast(ip: Address): boolean {
  if (ip.bytes.length === 4 && (unspecified(ip) || ip.bytes.every((byte) => byte === 255))) return false;
  const multicast = ip.bytes.length === 4 ? ((ip.bytes[0] as number) & 0xf0) === 0xe0 : ip.bytes[0] === 0xff;
  return !unspecified(ip) && !loopback(ip) && !multicast && !linkLocalUnicast(ip);
}

/**
 * Declares the functions of IP addresses and CIDRs.
 *
 * @param functions - receives the declarations
 */
export function defineNet(functions: Functions): void {
  define(
    functions,
    "ip",
    ["string_to_ip", "(string) -> net.IP", address],
    ["cidr_ip", "net.CIDR.() -> net.IP", (cidr: Prefix) => cidr.address],
  );
  define(functions, "family", [
    "ip_family",
    "net.IP.() -> int",
    ({ bytes }: Address) => (bytes.length === 4 ? 4n : 6n),
  ]);
  define(functions, "ip.isCanonical", [
    "ip_is_canonical",
    "(string) -> bool",
    (text: string) => formatIP(address(text).bytes) === text,
  ]);
  define(functions, "isUnspecified", ["ip_is_unspecified", "net.IP.() -> bool", unspecified]);
  define(functions, "isLoopback", ["ip_is_loopback", "net.IP.() -> bool", loopback]);
  define(functions, "isLinkLocalMulticast", ["ip_is_link_local_multicast", "net.IP.() -> bool", linkLocalMulticast]);
  define(functions, "isLinkLocalUnicast", ["ip_is_link_local_unicast", "net.IP.() -> bool", linkLocalUnicast]);
  define(functions, "isGlobalUnicast", ["ip_is_global_unicast", "net.IP.() -> bool", globalUnicast]);
  define(functions, "isIP", ["is_ip", "(string) -> bool", (text: string) => succeeds(() => address(text))]);
  define(
    functions,
    "string",
    ["ip_to_string", "(net.IP) -> string", (ip: Address) => formatIP(ip.bytes)],
    ["cidr_to_string", "(net.CIDR) -> string", (cidr: Prefix) => `${formatIP(cidr.address.bytes)}/${cidr.bits}`],
  );
  define(functions, "cidr", ["string_to_cidr", "(string) -> net.CIDR", prefix]);
  define(
    functions,
    "containsIP",
    [
      "cidr_contains_ip_string",
      "net.CIDR.(string) -> bool",
      (cidr: Prefix, ip: string) => cidr.contains(asOperand(() => address(ip))),
    ],
    ["cidr_contains_ip_ip", "net.CIDR.(net.IP) -> bool", (cidr: Prefix, ip: Address) => cidr.contains(ip)],
  );
  const containsCidr = (cidr: Prefix, other: Prefix) => other.bits >= cidr.bits && cidr.contains(other.address);
  define(
    functions,
    "containsCIDR",
    [
      "cidr_contains_cidr_string",
      "net.CIDR.(string) -> bool",
      (cidr: Prefix, other: string) =>
        containsCidr(
          cidr,
          asOperand(() => prefix(other)),
        ),
    ],
    ["cidr_contains_cidr", "net.CIDR.(net.CIDR) -> bool", containsCidr],
  );
  define(functions, "prefixLength", ["cidr_prefix_length", "net.CIDR.() -> int", (cidr: Prefix) => BigInt(cidr.bits)]);
  define(functions, "masked", ["cidr_masked", "net.CIDR.() -> net.CIDR", (cidr: Prefix) => cidr.masked()]);
  define(functions, "isCIDR", ["is_cidr", "(string) -> bool", (text: string) => succeeds(() => prefix(text))]);
  defineUrl(functions);
}

const urlError = "URL parse error during conversion from string: ";

class Url extends OpaqueValue {
  readonly typeName = "kubernetes.URL";
  readonly text: string;
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;

  constructor(text: string) {
    super();
    const failed = (problem: string) => new EvaluationError(`${urlError}parse ${goQuote(text)}: ${problem}`);
    const match = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?]*))?([^?]*)(?:\?(.*))?$/s.exec(
      // The fragment belongs to no part.
      text.replace(/(?<=.)#.*$/s, ""),
    );
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters make an URL invalid
    if (/[\x00-\x1f\x7f]/.test(text)) throw failed("net/url: invalid control character in URL");
    if (text === "") throw failed("empty url");
    if (match === null) throw failed("invalid URI for request");
    if (text.startsWith(":")) throw failed("missing protocol scheme");
    const [, scheme = "", authority, path = "", query = ""] = match;
    if (scheme === "" && !text.startsWith("/")) throw failed("invalid URI for request");
    const bad = /%(?![0-9a-fA-F]{2}).{0,2}/.exec(path);
    if (bad !== null) throw failed(`invalid URL escape ${goQuote(bad[0])}`);
    this.text = text;
    this.scheme = scheme.toLowerCase();
    this.host = (authority ?? "").replace(/^.*@/, "");
    const port = /:([^:\]]*)$/.exec(this.host);
    if (port !== null && !/^\d*$/.test(port[1] as string)) throw failed(`invalid port ${goQuote(port[0])} after host`);
    if (/[ "<>\\^`{|}]/.test(this.host)) {
      throw failed(
        `invalid character ${goQuote((/[ "<>\\^`{|}]/.exec(this.host) as RegExpExecArray)[0])} in host name`,
      );
    }
    // After a scheme, what doesn't begin with a slash is opaque: it has no path.
    const isOpaque = scheme !== "" && authority === undefined && !path.startsWith("/");
    this.path = isOpaque ? "" : path.replace(/[^\w.~!$&'()*+,;=:@/%[\]-]/gu, (char) => encodeURIComponent(char));
    this.query = query;
  }

  get hostname(): string {
    return this.host.replace(/:\d*$/, "").replace(/^\[(.*)\]$/, "$1");
  }

  get port(): string {
    return /:(\d*)$/.exec(this.host.replace(/^\[.*\]/, ""))?.[1] ?? "";
  }

  equals(other: Url): boolean {
    return this.text === other.text;
  }

  values(): Value {
    const values = new Map<string, Value[]>();
    const decode = (part: string) => {
      try {
        return decodeURIComponent(part.replaceAll("+", " "));
      } catch {
        return undefined;
      }
    };
    for (const part of this.query.split("&")) {
      if (part === "" || part.includes(";")) continue;
      const [key, value] = [
        decode(part.replace(/=.*$/s, "")),
        decode(part.includes("=") ? part.slice(part.indexOf("=") + 1) : ""),
      ];
      if (key === undefined || value === undefined) continue;
      const list = values.get(key) ?? [];
      values.set(key, list);
      list.push(value);
    }
    return new EntryMap(new Map([...values].map(([key, list]) => [`s${key}`, [key, new ArrayList(list)]])));
  }
}

function defineUrl(functions: Functions): void {
  define(functions, "url", ["string_to_url", "(string) -> kubernetes.URL", (text: string) => new Url(text)]);
  define(functions, "isURL", ["is_url_string", "(string) -> bool", (text: string) => succeeds(() => new Url(text))]);
  define(functions, "getScheme", ["url_get_scheme", "kubernetes.URL.() -> string", (url: Url) => url.scheme]);
  define(functions, "getHost", ["url_get_host", "kubernetes.URL.() -> string", (url: Url) => url.host]);
  define(functions, "getHostname", ["url_get_hostname", "kubernetes.URL.() -> string", (url: Url) => url.hostname]);
  define(functions, "getPort", ["url_get_port", "kubernetes.URL.() -> string", (url: Url) => url.port]);
  define(functions, "getEscapedPath", ["url_get_escaped_path", "kubernetes.URL.() -> string", (url: Url) => url.path]);
  define(functions, "getQuery", [
    "url_get_query",
    "kubernetes.URL.() -> map(string, list(string))",
    (url: Url) => url.values(),
  ]);
}

/** @returns why a text isn't an URL as `isURL` accepts it; empty if it is one */
export function urlProblems(text: string): string[] {
  try {
    new Url(text);
    return [];
  } catch (error) {
    return [(error as Error).message.slice(urlError.length)];
  }
}
