// Starts an environment, tells its processes and directory, and waits for its end, whatever that may be.
import { dirname } from "node:path";
import { TestEnvironment } from "../index.ts";

const environment = new TestEnvironment();
await environment.start();
process.stdout.write(`${JSON.stringify({ pids: environment.pids, directory: dirname(environment.kubeconfigPath) })}\n`);
const [how] = process.argv.slice(2);
if (how === "throw") throw new Error("the test crashed");
if (how === "wait") setInterval(() => {}, 1000);
