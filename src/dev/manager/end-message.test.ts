import { expect, it } from "vitest";
import { endMessage } from "./end-message.ts";

it.each([
  ["an exit without output", "exit code 3", [], "the manager ended with exit code 3"],
  [
    "an uncaught exception",
    "exit code 1",
    [
      "/project/main-2.js:7",
      '  throw new Error("late");',
      "        ^",
      "",
      "Error: late",
      "    at Timeout._onTimeout (/project/src/main.ts:7:9)",
      "    at listOnTimeout (node:internal/timers:581:17)",
      "",
      "Node.js v20.20.2",
    ],
    "the manager ended with exit code 1: Error: late",
  ],
  [
    "an error with properties",
    "exit code 1",
    [
      "node:events:502",
      "      throw er; // Unhandled 'error' event",
      "      ^",
      "",
      "Error: listen EADDRINUSE: address already in use 127.0.0.1:8080",
      "    at listenInCluster (node:net:1965:12)",
      "Emitted 'error' event on Server instance at:",
      "    at process.processTicksAndRejections (node:internal/process/task_queues:82:21) {",
      "  code: 'EADDRINUSE',",
      "  errno: -98,",
      "  [cause]: Error: inner",
      "      at main (/project/src/main.ts:7:9)",
      "}",
      "",
      "Node.js v20.20.2",
    ],
    "the manager ended with exit code 1: Error: listen EADDRINUSE: address already in use 127.0.0.1:8080",
  ],
  [
    "an error of the runtime",
    "exit code 1",
    ['{"level":"error","msg":"Could not start","error":"no port"}', '{"level":"info","msg":"Wait completed"}'],
    "the manager ended with exit code 1: Could not start: no port",
  ],
  [
    "a full heap",
    "SIGABRT",
    [
      "[1234:0x5f0a] 22 s: Mark-Compact 4000 (4100) -> 4000 (4100) MB",
      "<--- JS stacktrace --->",
      "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
      "----- Native stack trace -----",
      " 1: 0xb76dc5 node::OOMErrorHandler(char const*) [node]",
      "10: 0xf5a4f4  [node]",
    ],
    "the manager ended with SIGABRT: FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
  ],
])("the message for %s contains its reason", (_, how, output, message) =>
  expect(endMessage({ how, output })).toBe(message),
);
