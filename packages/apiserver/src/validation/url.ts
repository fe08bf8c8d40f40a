import { goQuote } from "@kubewright/cel/json";
import { parseIP } from "@kubewright/cel/validation";

/** The parts of a URL. Absent parts are empty. */
export interface ParsedUrl {
  /** In lower case. */
  scheme: string;
  /** The user information before the `@`; undefined without an `@`. */
  user: string | undefined;
  host: string;
  query: string;
  fragment: string;
}

/** A part of a URL that isn't valid. */
class UrlProblem extends Error {}

/**
 * Parses a URL as Go's `net/url` does.
 *
 * @param text - the URL
 * @returns its parts, or the message of Go's error
 */
export function parseUrl(text: string): ParsedUrl | { problem: string } {
  const [url = "", fragment] = cut(text, "#");
  let whole = url;
  try {
    const parsed = parseWithoutFragment(url);
    whole = text;
    if (fragment !== undefined) checkEscapes(fragment);
    return { ...parsed, fragment: fragment ?? "" };
  } catch (error) {
    if (!(error instanceof UrlProblem)) throw error;
    return { problem: `parse ${goQuote(whole)}: ${error.message}` };
  }
}

function cut(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}

function parseWithoutFragment(url: string): Omit<ParsedUrl, "fragment"> {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters aren't allowed in URLs.
  if (/[\x00-\x1f\x7f]/.test(url)) throw new UrlProblem("net/url: invalid control character in URL");
  if (url.startsWith(":")) throw new UrlProblem("missing protocol scheme");
  const [, scheme = "", afterScheme = ""] = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(.*)$/s.exec(url) ?? [];
  const [rest, query = ""] = cut(afterScheme, "?");
  const parts = { scheme: scheme.toLowerCase(), user: undefined, host: "", query };
  if (!rest.startsWith("/")) {
    if (scheme === "" && cut(rest, "/")[0].includes(":")) {
      throw new UrlProblem("first path segment in URL cannot contain colon");
    }
    if (scheme === "") checkEscapes(rest);
    return parts;
  }
  if (!rest.startsWith("//") || (scheme === "" && rest.startsWith("///"))) {
    checkEscapes(rest);
    return parts;
  }
  const slash = rest.indexOf("/", 2);
  const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash);
  const mark = authority.lastIndexOf("@");
  const host = authority.slice(mark + 1);
  checkHost(host, parts.scheme);
  const user = mark < 0 ? undefined : authority.slice(0, mark);
  if (user !== undefined) checkUser(user);
  if (slash >= 0) checkEscapes(rest.slice(slash));
  return { ...parts, user, host };
}

function checkUser(user: string): void {
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) throw new UrlProblem("net/url: invalid userinfo");
  checkEscapes(user);
}

/** Throws for a percent sign that two hexadecimal digits don't follow. */
function checkEscapes(text: string): void {
  const wrong = /%(?![0-9A-Fa-f]{2}).{0,2}/s.exec(text);
  if (wrong !== null) throw new UrlProblem(`invalid URL escape ${goQuote(wrong[0])}`);
}

function checkHost(host: string, scheme: string): void {
  const bracket = host.lastIndexOf("[");
  if (bracket > 0) throw new UrlProblem("invalid IP-literal");
  if (bracket === 0) {
    const end = host.lastIndexOf("]");
    if (end < 0) throw new UrlProblem("missing ']' in host");
    checkPort(host.slice(end + 1));
    const [address, zone] = cut(host.slice(1, end), "%25");
    checkHostCharacters(address);
    const bytes = parseIP(address, false);
    if (bytes?.length === 4) throw new UrlProblem("invalid IP-literal");
    if (zone === "") {
      throw new UrlProblem(`invalid host: ParseAddr(${goQuote(`${address}%`)}): zone must be a non-empty string`);
    }
    if (bytes === undefined) {
      throw new UrlProblem(`invalid host: ParseAddr(${goQuote(address)}): unable to parse IP`);
    }
    return;
  }
  // The first colon begins the port of URLs for HTTP; other schemes may list several hosts with ports.
  const colon = /^https?$/.test(scheme) ? host.indexOf(":") : host.lastIndexOf(":");
  if (colon >= 0) checkPort(host.slice(colon));
  checkHostCharacters(host);
}

function checkPort(port: string): void {
  if (!/^(:\d*)?$/.test(port)) throw new UrlProblem(`invalid port ${goQuote(port)} after host`);
}

function checkHostCharacters(host: string): void {
  for (let at = 0; at < host.length; at++) {
    const char = host[at] as string;
    if (char === "%") {
      const escaped = host.slice(at, at + 3);
      // Escapes of ASCII characters aren't allowed in hosts.
      if (escaped !== "%25" && !/^%[89A-Fa-f][0-9A-Fa-f]$/.test(escaped)) {
        throw new UrlProblem(`invalid URL escape ${goQuote(escaped)}`);
      }
    } else if (!/[A-Za-z0-9\-._~!$&'()*+,;=:[\]<>"\u0080-\uffff]/.test(char)) {
      throw new UrlProblem(`invalid character ${goQuote(char)} in host name`);
    }
  }
}
