import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { newestVersion } from "../data/versions.ts";
import { storedObjectCheck } from "../engine/stored-objects.ts";
import { startApiServer } from "../index.ts";
import { Journal, type JournalContent } from "../storage/journal.ts";

const [damaged, mistyped] = [150, 300];
const check = storedObjectCheck(newestVersion);
const directory = mkdtempSync(join(tmpdir(), "data-file-"));
const path = join(directory, "data");
let good: Buffer;
/** Line by line. */
let lines: string[];

/** Repeatable numbers in [0, 1). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

beforeAll(async () => {
  const dataFile = join(directory, "good");
  const group = "example.com";
  const names = { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" };
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `widgets.${group}` },
    spec: { group, names, scope: "Namespaced", versions: [{ name: "v1", served: true, storage: true, schema }] },
  };
  const server = await startApiServer({ http: false, dataFile, crds: [definition] });
  const headers = { "content-type": "application/json" };
  const send = async (url: string, object: object): Promise<void> => {
    const answer = await server.handle({ method: "POST", url, headers, body: JSON.stringify(object) });
    expect(answer.status, String(answer.body)).toBe(201);
  };
  const metadata = { name: "w", namespace: "default" };
  await send(`/apis/${group}/v1/namespaces/default/widgets`, { apiVersion: `${group}/v1`, kind: "Widget", metadata });
  const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "a", image: "b" }] } };
  const selector = { matchLabels: { a: "b" } };
  await send("/apis/apps/v1/namespaces/default/deployments", { metadata: { name: "d" }, spec: { selector, template } });
  await send("/api/v1/namespaces/default/configmaps", { metadata: { name: "c" }, data: { a: "é" } });
  await send("/apis/rbac.authorization.k8s.io/v1/clusterroles", { metadata: { name: "empty" }, rules: null });
  await server.stop();
  good = readFileSync(dataFile);
  lines = good.toString().trimEnd().split("\n");
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Reads a file as the server does. */
function read(content: Buffer | string): JournalContent & { warnings: string[] } {
  writeFileSync(path, content);
  const warnings: string[] = [];
  const journal = new Journal(path, (message) => warnings.push(message), check);
  try {
    return { ...journal.read(), warnings };
  } finally {
    journal.close();
  }
}

/** Reads a damaged file: one error with file, line, rule and hint, or the objects. Without an error, only a cut last line is removed. */
function attack(content: Buffer): "refused" | "read" {
  let result: ReturnType<typeof read>;
  try {
    result = read(content);
  } catch (error) {
    const { message } = error as Error;
    expect(message).toMatch(/^\S+data:\d+: isn't a record of the API server: [^\n]+\nhint: [^\n]+$/);
    expect(message).not.toMatch(/undefined \(reading|is not a function|\[object/);
    expect(readFileSync(path).equals(content)).toBe(true);
    return "refused";
  }
  const kept = readFileSync(path);
  if (result.warnings.length === 0) expect(kept.subarray(0, content.length).equals(content)).toBe(true);
  else expect(content.subarray(0, kept.length).equals(kept)).toBe(true);
  return "read";
}

function replaceLine(index: number, line: string): Buffer {
  return Buffer.from(`${lines.map((one, at) => (at === index ? line : one)).join("\n")}\n`);
}

test("an undamaged data file is read, with lists that are null", () => {
  expect(good.toString()).toContain('\\"rules\\":null');
  expect(attack(good)).toBe("read");
});

describe("a damaged data file is refused with one line, and isn't changed", () => {
  test("random bytes in it", ({ task }) => {
    const random = numbers(1);
    Object.assign(task.meta, { attempts: damaged });
    let refused = 0;
    for (let attempt = 0; attempt < damaged; attempt++) {
      const content = Buffer.from(good);
      for (let count = 0; count <= random() * 3; count++) {
        content[Math.floor(random() * content.length)] = Math.floor(random() * 256);
      }
      if (attack(content) === "refused") refused++;
    }
    expect(refused).toBeGreaterThan(damaged / 8);
  });

  test("truncations and missing parts", ({ task }) => {
    const random = numbers(2);
    Object.assign(task.meta, { attempts: damaged });
    for (let attempt = 0; attempt < damaged; attempt++) {
      const from = Math.floor(random() * good.length);
      const to = attempt % 2 === 0 ? good.length : Math.min(good.length, from + Math.ceil(random() * 500));
      attack(Buffer.concat([good.subarray(0, from), good.subarray(to)]));
    }
  });

  test("wrong types in records and objects", ({ task }) => {
    const random = numbers(3);
    const values = [null, 5, "x", "", [], {}, true, [null], { a: null }, 1e300, -1, 0.5, 2 ** 53];
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    let refused = 0;
    Object.assign(task.meta, { attempts: mistyped });
    for (let attempt = 0; attempt < mistyped; attempt++) {
      const index = Math.floor(random() * lines.length);
      const record = JSON.parse(lines[index] as string);
      if (attempt % 3 === 0 || record.text === undefined) record[pick(Object.keys(record))] = pick(values);
      else {
        const object = JSON.parse(record.text);
        const places: [{ [key: string]: unknown }, string][] = [];
        const walk = (value: { [key: string]: unknown }): void => {
          for (const key of Object.keys(value)) {
            places.push([value, key]);
            if (typeof value[key] === "object" && value[key] !== null) walk(value[key] as { [key: string]: unknown });
          }
        };
        walk(object);
        const [parent, key] = pick(places);
        if (random() < 0.2) delete parent[key];
        else parent[key] = pick(values);
        record.text = JSON.stringify(object);
      }
      if (attack(replaceLine(index, JSON.stringify(record))) === "refused") refused++;
    }
    expect(refused).toBeGreaterThan(mistyped / 2);
  });

  test.each([
    ["a file of another program", '{"name":"mine"}'],
    ["a file of another program with a newline", '{"name":"mine"}\n'],
    ["a text", "hello"],
    ["an image", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")],
    ["zeros, as after a crash of the machine", Buffer.alloc(4096)],
    ["an empty line", "\n"],
    ["a list", "[]\n"],
    ["deep nesting", `${"[".repeat(100_000)}\n`],
  ])("%s", (_title, content) => {
    expect(attack(Buffer.from(content))).toBe("refused");
  });

  const record = (revision: unknown, key = "default"): string => {
    const metadata = { name: key, uid: "u", creationTimestamp: "2026-01-01T00:00:00Z" };
    return JSON.stringify({ collection: "namespaces", key, revision, text: JSON.stringify({ metadata }) });
  };
  test.each([
    [
      "a revision that can't be counted",
      `${record(1e300)}\n`,
      '1: isn\'t a record of the API server: "revision" must be an integer from 1 to 2^52',
    ],
    ["a negative revision", `${record(-1)}\n`, '"revision" must be an integer from 1 to 2^52'],
    ["a fraction", `${record(1.5)}\n`, '"revision" must be an integer from 1 to 2^52'],
    [
      "a revision twice",
      `${record(1)}\n${record(1, "b")}\n`,
      '2: isn\'t a record of the API server: "revision" must not be 1, that of an earlier line',
    ],
    [
      "revisions in a wrong order",
      `${record(2)}\n${record(1, "b")}\n`,
      '2: isn\'t a record of the API server: "revision" must be greater than 2, that of an earlier line',
    ],
    [
      "an old revision after the first part",
      `${record(2)}\n{"revision":5}\n${record(4, "b")}\n`,
      '3: isn\'t a record of the API server: "revision" must be greater than 5, that of an earlier line',
    ],
    [
      "an end of the first part that is too small",
      `${record(2)}\n{"revision":1}\n`,
      '"revision" must be at least 2, that of an earlier line',
    ],
    [
      "an object under another name",
      `${record(1).replace('"key":"default"', '"key":"x"')}\n`,
      '"key" must be namespace and name of the object: "default"',
    ],
  ])("%s", (_title, content, problem) => {
    expect(() => read(content)).toThrow(problem);
    expect(readFileSync(path, "utf8")).toBe(content);
  });
});

test("the first part of a file has no order", () => {
  const content = [3, 1, 2].map((revision) => {
    const metadata = { name: `n${revision}`, uid: "u", creationTimestamp: "2026-01-01T00:00:00Z" };
    return JSON.stringify({
      collection: "namespaces",
      key: metadata.name,
      revision,
      text: JSON.stringify({ metadata }),
    });
  });
  expect(read(`${content.join("\n")}\n{"revision":7}\n`).revision).toBe(7);
});

test("a last line that lacks only its newline is kept", () => {
  const result = read(good.subarray(0, good.length - 1));
  expect(result.warnings).toEqual([]);
  expect(readFileSync(path).equals(good)).toBe(true);
});

test("a server doesn't start with a damaged object, and leaves no claim", async () => {
  const index = lines.findIndex((line) => line.includes('"collection":"customresourcedefinitions'));
  const record = JSON.parse(lines[index] as string);
  const object = JSON.parse(record.text);
  delete object.spec.versions;
  const content = replaceLine(index, JSON.stringify({ ...record, text: JSON.stringify(object) }));
  writeFileSync(path, content);
  // The last state of the definition has another line.
  const last = lines.findLastIndex((line) => line.includes('"collection":"customresourcedefinitions'));
  if (last !== index)
    writeFileSync(
      path,
      replaceLine(last, JSON.stringify({ ...JSON.parse(lines[last] as string), text: JSON.stringify(object) })),
    );
  const before = readFileSync(path);
  const problem = `${path}:${last + 1}: isn't a record of the API server: must be a CustomResourceDefinition that can be served`;
  await expect(startApiServer({ http: false, dataFile: path })).rejects.toThrow(problem);
  expect(readFileSync(path).equals(before)).toBe(true);
  writeFileSync(path, good);
  const server = await startApiServer({ http: false, dataFile: path });
  onTestFinished(() => server.stop());
  expect(server.revision).toBeGreaterThan(1);
});
