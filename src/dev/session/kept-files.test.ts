import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { fullTest } from "../../../scripts/test-support/full-test.ts";
import { typesFile } from "../build/type-check.ts";
import { type SessionPaths, sessionPaths } from "../setup/files.ts";
import { SessionEvents } from "../store/session-events.ts";
import { keepFiles } from "./kept-files.ts";

const base = mkdtempSync(join(tmpdir(), "kept-files-"));
const root = join(base, "project");
afterEach(() => rmSync(base, { recursive: true, force: true }));

function write(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "");
}

/** Renames the project of a session. Returns what ends the checks. */
async function renamed(): Promise<{ end: () => void; paths: SessionPaths }> {
  mkdirSync(join(root, "node_modules"), { recursive: true });
  const paths = sessionPaths(root);
  const { signal } = new AbortController();
  let end = (): void => undefined;
  await new Promise<void>((stop) => {
    const webhooks = { save: () => undefined };
    const session = { options: { root }, paths, signal, cluster: {}, webhooks, events: new SessionEvents() };
    end = keepFiles(
      session,
      () => stop(),
      () => write(paths.session),
    );
    renameSync(root, join(base, "renamed"));
  });
  return { end, paths };
}

it("removes what the compiler and the bundler have written after the project was renamed", async () => {
  const { end, paths } = await renamed();
  write(join(paths.cache, typesFile));
  write(join(paths.bundles, "main-2.js"));
  end();
  expect(existsSync(root)).toBe(false);
});

fullTest("keeps what others have written there", async () => {
  const { end, paths } = await renamed();
  write(join(paths.cache, typesFile));
  write(join(root, "node_modules", "other"));
  end();
  expect(existsSync(paths.cache)).toBe(false);
  expect(existsSync(join(root, "node_modules", "other"))).toBe(true);
});

fullTest("keeps the files of a new session in a new directory", async () => {
  const { end, paths } = await renamed();
  write(join(paths.cache, typesFile));
  write(paths.session);
  end();
  expect(existsSync(join(paths.cache, typesFile))).toBe(true);
});
