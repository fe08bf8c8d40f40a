import { createLogger } from "../log/create-logger.ts";
import type { Logger } from "../log/logger.ts";

/**
 * Vitest's `beforeEach`, as far as {@link testLogger} requires it.
 *
 * @param hook - runs before each test
 */
export type BeforeEach = (hook: (test: { onTestFailed: (listener: () => void) => void }) => void) => void;

/** Maximum number of kept lines. */
const maxLines = 1_000;

/**
 * Creates a logger for tests: it prints the lines of a test only if the test fails. The first test also has the lines that were
 * logged before it, such as those of `beforeAll`. At most the last 1,000 lines are printed.
 *
 * @param beforeEach - Vitest's `beforeEach`; the logger registers a hook with it, for all tests of the file or `describe` block
 * @returns a logger of all levels
 *
 * @example
 * const ctx = testContext({ log: testLogger(beforeEach) });
 * await new GameReconciler(client).reconcile(ctx, { namespace: "default", name: "sample" });
 */
export function testLogger(beforeEach: BeforeEach): Logger {
  let lines: string[] = [];
  let isFirst = true;
  beforeEach(({ onTestFailed }) => {
    if (!isFirst) lines = [];
    isFirst = false;
    onTestFailed(() => {
      if (lines.length > 0) console.error(lines.slice(-maxLines).join("").trimEnd());
      lines = [];
    });
  });
  const write = (line: string): void => {
    lines.push(line);
    if (lines.length > 2 * maxLines) lines = lines.slice(-maxLines);
  };
  return createLogger({ development: true, destination: { write } });
}
