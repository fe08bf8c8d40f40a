import { fork } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { json } from "./server.fixture.ts";

const mebi = 1024 * 1024;
const maximal = 7 * mebi;
/** The heap size in the manifests of a scaffolded project, in MiB. */
const heap = 192;

/** Returns a realistic AdmissionReview of the given size or slightly less. */
function review(bytes: number): Buffer {
  const entry = { name: "an-entry", labels: { app: "game", tier: "backend" }, value: "x".repeat(60), ports: [80, 443] };
  const text = JSON.stringify(entry);
  const entries = new Array<unknown>(Math.floor(bytes / (text.length + 1)) - 2).fill(entry);
  const asked = { uid: "u", operation: "CREATE", object: { metadata: { name: "a" }, spec: { entries } } };
  return Buffer.from(JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request: asked }));
}

function post(port: number, body: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { port, host: "127.0.0.1", method: "POST", headers: json, agent: false };
    const sent = request(options, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve(`${response.statusCode} ${text.replace(/^\{.*"allowed":(\w+).*$/, "allowed $1").trim()}`);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

describe("a webhook under a flood of maximum-size reviews", () => {
  it("needs no more memory for 200 requests than for a few, and serves small requests meanwhile", async () => {
    const child = fork(fileURLToPath(new URL("flooded.fixture.ts", import.meta.url)), {
      execArgv: [`--max-old-space-size=${heap}`, "--import", "tsx"],
    });
    const exited = once(child, "exit");
    const nextMessage = () =>
      Promise.race([once(child, "message"), exited.then(() => Promise.reject(new Error("it ended")))]);
    try {
      const [port] = (await nextMessage()) as [number];
      const body = review(maximal);
      expect(body.length).toBeGreaterThan(maximal - 1000);
      const flood = Promise.all(Array.from({ length: 200 }, () => post(port, body)));
      const small: string[] = [];
      for (let count = 0; count < 20; count++) small.push(await post(port, review(2000)));
      expect(new Set(small)).toEqual(new Set(["200 allowed true"]));
      const answers = await flood;
      const taken = answers.filter((answer) => answer === "200 allowed true");
      const refused = answers.filter((answer) =>
        /^503 (too many requests .* within 30000 ms|the request was received too slowly .*)$/.test(answer),
      );
      // The machine must respond to some of them within 30 seconds.
      expect(taken.length).toBeGreaterThan(3);
      expect(taken.length + refused.length).toBe(200);
      child.send("tell");
      const [peak] = (await nextMessage()) as [number];
      // The bytes of all requests are 1,400 MiB. The rest is Node.js with the program that compiles TypeScript.
      expect(peak / mebi).toBeLessThan(heap + 250);
    } finally {
      child.kill();
      await exited;
    }
  });
});
