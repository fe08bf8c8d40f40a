// Starts the embedded API server in its own process and stores objects: node --expose-gc in-process.mjs. Prints the
// milliseconds until the server is ready, and the memory per object as a multiple of its JSON.
// JavaScript with checked types, because this process is measured, and would spend time on a loader of TypeScript.
// @ts-check
import { startApiServer } from "@kubewright/apiserver";

const path = "/api/v1/namespaces/default/configmaps";
const user = { name: "admin", groups: ["system:masters"] };
const headers = { "content-type": "application/json" };
const warmUp = 500;
const count = 10_000;

const began = performance.now();
const server = await startApiServer({ http: false });
const ready = performance.now() - began;

/** @param {string} name */
function create(name) {
  const body = JSON.stringify({ metadata: { name, labels: { app: "bench" } }, data: { text: "x".repeat(100) } });
  return server.handle({ method: "POST", url: path, headers, body, user });
}

function heap() {
  if (gc === undefined) throw new Error("needs --expose-gc");
  gc();
  gc();
  return process.memoryUsage().heapUsed;
}

// The first requests compile the code and load the data that later ones share.
for (let i = 0; i < warmUp; i++) await create(`first-${i}`);
const before = heap();
for (let i = 0; i < count; i++) await create(`list-${i}`);
const perObject = (heap() - before) / count;
const { body = "" } = await server.handle({ method: "GET", url: path, headers, user });
console.log(JSON.stringify({ ready, perObject: perObject / (body.length / (count + warmUp)) }));
await server.stop();
