// Answers each GET with 2 KiB of JSON over TLS: server.mjs DIRECTORY, with tls.key and tls.crt. Prints its port.
// JavaScript with checked types, because this process must not spend time on a loader of TypeScript.
// @ts-check
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { join } from "node:path";

const [directory = "."] = process.argv.slice(2);
const body = JSON.stringify({ kind: "ConfigMap", apiVersion: "v1", data: { text: "x".repeat(2000) } });
const headers = { "content-type": "application/json", "content-length": body.length };
const options = { key: readFileSync(join(directory, "tls.key")), cert: readFileSync(join(directory, "tls.crt")) };
const server = createServer(options, (_request, response) => response.writeHead(200, headers).end(body));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  console.log(address.port);
});
process.stdin.on("end", () => process.exit()).resume();
