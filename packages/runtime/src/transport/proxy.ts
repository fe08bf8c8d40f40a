import { BlockList, isIP } from "node:net";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the proxy for a URL from the environment: HTTPS_PROXY or HTTP_PROXY by scheme, unless NO_PROXY contains the host.
 * As in Go, loopback addresses never use a proxy.
 */
export function proxyFromEnvironment(url: URL, environment: Environment = process.env): string | undefined {
  const proxy =
    url.protocol === "https:"
      ? environment.HTTPS_PROXY || environment.https_proxy
      : environment.HTTP_PROXY || environment.http_proxy;
  if (!proxy) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  if (isLoopback(host)) return undefined;
  const exceptions = (environment.NO_PROXY || environment.no_proxy || "").split(",");
  if (exceptions.some((entry) => excludes(entry.trim().toLowerCase(), host, port))) return undefined;
  return proxy.includes("://") ? proxy : `http://${proxy}`;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

// Checks whether an entry of NO_PROXY matches. An entry is `*`, a host, a domain (`.example.com`, or `example.com` with its
// subdomains), an address or a CIDR, optionally with a port.
function excludes(entry: string, host: string, port: string): boolean {
  if (entry === "") return false;
  if (entry === "*") return true;
  const cidr = /^([\da-f.:]+)\/(\d+)$/.exec(entry);
  if (cidr) return inSubnet(host, cidr[1]!, Number(cidr[2]));
  const withPort = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry);
  if (withPort && withPort[2] !== port) return false;
  const name = (withPort ? withPort[1]! : entry).replace(/^\[|\]$/g, "").replace(/^\*?\./, "");
  const onlySubdomains = /^\*?\./.test(entry);
  return (host === name && !onlySubdomains) || (isIP(host) === 0 && host.endsWith(`.${name}`));
}

function inSubnet(host: string, network: string, prefix: number): boolean {
  const family = isIP(host);
  if (family === 0 || family !== isIP(network) || prefix > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(network, prefix, family === 4 ? "ipv4" : "ipv6");
  return list.check(host, family === 4 ? "ipv4" : "ipv6");
}
