// The fastest possible Node server: HTTPS that reads and parses the body, and returns the same response: bare.mjs DIRECTORY
// PORT.
// JavaScript with checked types, because this process is measured, and would spend time on a loader of TypeScript.
// @ts-check
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { join } from "node:path";

const [directory = ".", port] = process.argv.slice(2);
/** @param {string} name */
const read = (name) => readFileSync(join(directory, name));
const patch = Buffer.from(JSON.stringify([{ op: "add", path: "/spec/value", value: "default" }])).toString("base64");
const options = { cert: read("tls.crt"), key: read("tls.key"), keepAliveTimeout: 90_000 };
createServer(options, async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { apiVersion, kind, request: asked } = JSON.parse(Buffer.concat(chunks).toString());
  const status = { metadata: {}, code: 200 };
  const answer = { uid: asked.uid, allowed: true, status, patch, patchType: "JSONPatch" };
  response
    .writeHead(200, { "Content-Type": "application/json" })
    .end(JSON.stringify({ apiVersion, kind, response: answer }));
}).listen(Number(port), "127.0.0.1");
