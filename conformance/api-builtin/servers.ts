// Requests to the two servers that are compared.
import { Agent, request } from "node:https";
import type { ApiServer } from "@kubewright/apiserver";
import type { JsonObject } from "@kubewright/cel/json";
import type { Config } from "@kubewright/runtime";
import type { Answer, Send } from "./send.ts";

const headers = { accept: "application/json", "content-type": "application/json" };

/** Sends requests to a server on a socket. */
export function overHttps({ host, ca, cert, key }: Config): Send {
  const agent = new Agent({
    keepAlive: true,
    ...(ca ? { ca } : {}),
    ...(cert ? { cert } : {}),
    ...(key ? { key } : {}),
  });
  return (method, path, body) =>
    new Promise<Answer>((resolve, reject) => {
      const sent = request(`${host}${path}`, { method, headers, agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          resolve({
            code: response.statusCode ?? 0,
            warnings: response.headersDistinct.warning ?? [],
            body: parsed(Buffer.concat(chunks)),
          });
        });
      });
      sent.on("error", reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
}

/** Sends requests to the embedded server. */
export function inProcess(server: ApiServer): Send {
  return async (method, url, body) => {
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await server.handle({ method, url, headers, ...text });
    const warning = answer.headers.warning ?? [];
    return {
      code: answer.status,
      warnings: [warning].flat().map(String),
      body: parsed(Buffer.from(answer.body ?? "")),
    };
  };
}

/** Parses a body, which some answers don't have. */
function parsed(body: Buffer): JsonObject {
  return body.length === 0 ? {} : (JSON.parse(body.toString()) as JsonObject);
}
