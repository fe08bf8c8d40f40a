import { createServer, request as send } from "node:http";
import { request as sendSecurely } from "node:https";
import type { AddressInfo } from "node:net";
import type { Config } from "@kubewright/runtime";

/** A request that has passed the proxy. */
export interface Recorded {
  readonly method: string;
  readonly url: URL;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly status: number;
}

/** A proxy between an operator and an API server. It passes all requests on and records them. */
export interface RecordingProxy {
  readonly host: string;
  readonly requests: Recorded[];
  close(): Promise<void>;
}

/** Starts a proxy with the credentials of a configuration. */
export async function recordingProxy(config: Config): Promise<RecordingProxy> {
  const requests: Recorded[] = [];
  const server = createServer((incoming, answer) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const body = Buffer.concat(chunks);
      const url = new URL(incoming.url ?? "", config.host);
      const { host: _, connection: __, ...headers } = incoming.headers;
      const tls = { ca: config.ca, cert: config.cert, key: config.key } as object;
      const open = url.protocol === "https:" ? sendSecurely : send;
      const outgoing = open(url, { method: incoming.method, headers, ...tls }, (response) => {
        const { method = "", headers: sent } = incoming;
        requests.push({ method, url, body: body.toString(), headers: sent, status: response.statusCode ?? 0 });
        answer.writeHead(response.statusCode ?? 500, response.headers);
        response.pipe(answer);
      });
      outgoing.on("error", () => answer.destroy());
      answer.on("close", () => outgoing.destroy());
      outgoing.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    host: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
