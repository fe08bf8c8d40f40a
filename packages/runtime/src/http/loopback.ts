import { isIP } from "node:net";

/** Whether a host is this machine's loopback interface, which other machines can't reach. IPv6 addresses have no brackets. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}
