// Starts an environment, prints its processes and directory, and then ends as the argument requires.
import { connect } from "node:net";
import { dirname } from "node:path";
import { TestEnvironment } from "../index.ts";

const environment = new TestEnvironment({ controlPlaneStopTimeout: 500 });
await environment.start();
process.stdout.write(`${JSON.stringify({ pids: environment.pids, directory: dirname(environment.kubeconfigPath) })}\n`);
const [how] = process.argv.slice(2);
if (how === "throw") throw new Error("the test crashed");
if (how === "wait") setInterval(() => {}, 1000);
if (how === "stop") {
  // An API server waits for the first request of a connection for seconds, which is longer than its stop timeout here.
  const socket = connect(Number(new URL(environment.config.host).port), "127.0.0.1");
  await new Promise((resolve) => socket.once("connect", resolve));
  socket.on("error", () => {}).unref();
  await environment.stop();
}
