import { fork } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { json } from "./server.fixture.ts";

const mebi = 1024 * 1024;
const maximal = 7 * mebi;
/** What the manifests of a scaffolded project give. */
const heap = 192;

/** An AdmissionReview as it might come, of so many bytes or a little less. */
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

describe("floods of maximal reviews", () => {
  it("200 maximal requests at once take a webhook no more memory than a few do, and small ones pass meanwhile", async () => {
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
      // As many as the machine can answer within half a minute.
      expect(taken.length).toBeGreaterThan(3);
      expect(taken.length + refused.length).toBe(200);
      child.send("tell");
      const [peak] = (await nextMessage()) as [number];
      // All of them would be 1,400 MiB as bytes alone. Beside the heap there is Node itself, with the program that reads TypeScript.
      expect(peak / mebi).toBeLessThan(heap + 250);
    } finally {
      child.kill();
      await exited;
    }
  });
});
