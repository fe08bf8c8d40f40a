// Checks the formats of `scaffold dev --json` and of its subcommands.
import { expect } from "vitest";

type Check = (value: unknown, path: string) => void;

const text: Check = (value, path) => expect(value, path).toBeTypeOf("string");
const flag: Check = (value, path) => expect(value, path).toBeTypeOf("boolean");
const number: Check = (value, path) => {
  expect(value, path).toBeTypeOf("number");
  expect(value as number, path).toBeGreaterThanOrEqual(0);
};
const integer: Check = (value, path) => expect(Number.isInteger(value), `${path}: ${value}`).toBe(true);
/** RFC 3339 with milliseconds. */
const time: Check = (value, path) => expect(value, path).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const version: Check = (value, path) => expect(value, path).toMatch(/^\d+$/);
const oneOf =
  (...values: unknown[]): Check =>
  (value, path) =>
    expect(values, `${path}: ${value}`).toContain(value);
const nullable =
  (check: Check): Check =>
  (value, path) => {
    if (value !== null) check(value, path);
  };
const list =
  (check: Check): Check =>
  (value, path) => {
    expect(Array.isArray(value), path).toBe(true);
    for (const [index, item] of (value as unknown[]).entries()) check(item, `${path}[${index}]`);
  };
/** Expects an object with the keys. Keys that end with "?" are optional, and additional keys are allowed. */
const fields =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value, path) => {
    expect(value, path).toBeTypeOf("object");
    for (const [key, check] of Object.entries(checks)) {
      const name = key.replace(/\?$/, "");
      if (!Object.hasOwn(value as object, name)) {
        expect(key.endsWith("?"), `${path}.${name} is missing`).toBe(true);
        continue;
      }
      check((value as Record<string, unknown>)[name], `${path}.${name}`);
    }
  };

/** A unified diff of YAML: empty, or with a header and hunks. */
const diff: Check = (value, path) => {
  text(value, path);
  if (value !== "") expect(value, path).toMatch(/^--- [^\n]+\n\+\+\+ [^\n]+\n@@ -\d+(,\d+)? \+\d+(,\d+)? @@\n[ +-]/);
};

const reasonTypes = ["create", "update", "delete", "generic", "resync", "requeue", "retry", "channel"];
const reconcile = fields({
  id: (value, path) => expect(value, path).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  controller: text,
  time,
  durationMs: number,
  reasons: list(
    fields({
      type: oneOf(...reasonTypes),
      "kind?": text,
      "namespace?": text,
      "name?": text,
      "via?": oneOf("for", "owns", "watches"),
      "by?": text,
      "changed?": list(text),
      "resourceVersion?": version,
    }),
  ),
  reads: list(
    fields({
      verb: oneOf("get", "list"),
      kind: text,
      "name?": text,
      "resourceVersion?": version,
      from: oneOf("cache", "server"),
    }),
  ),
  writes: list(
    fields({
      verb: oneOf("create", "update", "patch", "apply", "delete"),
      "subresource?": text,
      kind: text,
      name: text,
      diff,
      error: nullable(text),
    }),
  ),
  "calls?": list(fields({ method: text, url: text, "status?": integer, error: nullable(text), durationMs: number })),
  "steps?": list(oneOf("read", "write", "call", "log")),
  logs: list(fields({ level: oneOf("debug", "info", "warn", "error"), message: text })),
  result: fields({ requeueAfter: number }),
  error: nullable(fields({ message: text, "file?": text, "line?": integer })),
});
const key: Check = (value, path) => expect(value, path).toMatch(/^[^/]+(\/[^/]+)?$/);

/** The answers of the subcommands. */
export const answers = {
  why: fields({
    object: fields({ kind: text, namespace: text, name: text, uid: text, resourceVersion: version }),
    reconciles: list(reconcile),
  }),
  objects: fields({
    objects: list(
      fields({
        kind: text,
        namespace: text,
        name: text,
        uid: text,
        ready: nullable(flag),
        status: nullable(text),
        statusMessage: text,
        owners: list(text),
        children: list(text),
        generation: nullable(integer),
        observedGeneration: nullable(integer),
        conditions: list(fields({ type: text, status: oneOf("True", "False", "Unknown") })),
      }),
    ),
  }),
  queue: fields({
    controllers: list(
      fields({
        name: text,
        depth: integer,
        active: list(key),
        delayed: list(fields({ key, at: time, attempts: integer })),
      }),
    ),
  }),
};

/** As `scaffold generate --check --against … --json` prints it. */
const breaking = fields({
  id: text,
  severity: oneOf("error", "warning"),
  message: text,
  file: text,
  line: integer,
  column: integer,
});
const phases = ["generate", "bundle", "types", "apply", "manager"];
/** The lines of `scaffold dev --json`, by event. */
const lines: Readonly<Record<string, Check>> = {
  ready: fields({
    kubeconfig: (value, path) => expect(value, path).toMatch(/^\//),
    engine: oneOf("embedded", "binaries", "cluster"),
    dashboard: (value, path) => expect(value, path).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=/),
    durationMs: integer,
  }),
  changed: fields({ files: list((value, path) => expect(value, path).toMatch(/^[^/].*[^/]$/)) }),
  generated: fields({ files: list(text), breaking: list(breaking) }),
  applied: fields({
    objects: list(
      fields({
        kind: text,
        name: text,
        "namespace?": text,
        action: oneOf("created", "configured", "unchanged", "failed"),
        "message?": text,
      }),
    ),
  }),
  started: fields({ pid: integer, durationMs: integer }),
  reconciled: fields({
    controller: text,
    kind: text,
    namespace: text,
    name: text,
    reasons: list(oneOf(...reasonTypes)),
    durationMs: number,
    writes: integer,
    "error?": text,
  }),
  error: fields({
    phase: oneOf(...phases),
    message: text,
    "file?": text,
    "line?": integer,
    "column?": integer,
    "id?": text,
  }),
  stopped: fields({ reason: text }),
};

/** Checks a line of `scaffold dev --json`. */
export function checkLine(line: { readonly event: string; readonly time: string }): void {
  const about = JSON.stringify(line);
  time(line.time, about);
  text(line.event, about);
  lines[line.event]?.(line, about);
}
