import { getServers } from "node:dns";
import { isIP } from "node:net";

const systemErrors: Record<string, string> = {
  ECONNREFUSED: "connect: connection refused",
  EHOSTUNREACH: "connect: no route to host",
  ENETUNREACH: "connect: network is unreachable",
  ETIMEDOUT: "connect: connection timed out",
  EADDRNOTAVAIL: "connect: cannot assign requested address",
};

/**
 * Describes why no response arrived, with the words of Go's HTTP client.
 *
 * @param thrown - the error of Node.js
 * @param host - the host that was called
 * @param port - its port
 * @returns for example `dial tcp 127.0.0.1:1: connect: connection refused`
 */
export function transportMessage(thrown: unknown, host: string, port: number): string {
  // Node.js collects the errors of all addresses of a host; Go reports the first one.
  const error = (thrown instanceof AggregateError ? thrown.errors[0] : thrown) as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
    reason?: string;
  };
  const { code = "" } = error;
  if (code === "DIAL") return error.message;
  const system = systemErrors[code];
  if (system !== undefined) return `dial tcp ${joinAddress(error.address ?? host, error.port ?? port)}: ${system}`;
  switch (code) {
    case "ENOTFOUND":
      return `dial tcp: lookup ${host}${nameServer()}: no such host`;
    case "EAI_AGAIN":
      return `dial tcp: lookup ${host}${nameServer()}: server misbehaving`;
    case "ABORT_ERR":
      return "context canceled";
    case "ECONNRESET":
    case "EOF":
    case "EPIPE":
      return "EOF";
    case "ERR_SSL_WRONG_VERSION_NUMBER":
    case "ERR_SSL_PACKET_LENGTH_TOO_LONG":
      return "http: server gave HTTP response to HTTPS client";
    default:
      return tlsMessage(code, error);
  }
}

function tlsMessage(code: string, error: Error & { reason?: string }): string {
  if (code === "EPROTO" && /wrong version number|packet length too long/.test(error.message)) {
    return "http: server gave HTTP response to HTTPS client";
  }
  const alert = /ERR_SSL_(?:TLSV1|SSLV3|TLSV13)_ALERT_([A-Z_]+)/.exec(code)?.[1];
  if (alert !== undefined) return `remote error: tls: ${alert.toLowerCase().replaceAll("_", " ")}`;
  if (code.startsWith("HPE_")) return `net/http: HTTP/1.x transport connection broken: ${error.message}`;
  return error.message;
}

function joinAddress(host: string, port: number): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

function nameServer(): string {
  const server = getServers()[0];
  if (server === undefined) return "";
  return isIP(server) === 0 ? ` on ${server}` : ` on ${joinAddress(server, 53)}`;
}
