// Records the cast of the README and the docs with the real command line: init, create, dev, edits, reconciles, why.
// Usage: npm run docs:cast. Needs script(1) of util-linux, the npm registry, and the build.
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkout, scaffoldBin } from "../../test-support/scaffold.ts";
import { asciicast } from "./asciicast.ts";
import { Stage, uncolored } from "./stage.ts";
import { svg } from "./svg.ts";

const title = "scaffold dev";
const types = "api/v1/game-types.ts";
const controller = "src/controller/game-controller.ts";
const output = join(checkout, "docs/public/dev");

const home = join(tmpdir(), "kubewright-cast");
const project = join(home, "mygame");
rmSync(home, { recursive: true, force: true });
mkdirSync(project, { recursive: true });
// Before its release, npx can't download kubewright: this one runs the build.
const bin = join(home, "bin");
mkdirSync(bin);
writeFileSync(join(bin, "kubewright"), `#!/bin/sh\nexec "${process.execPath}" "${scaffoldBin}" "$@"\n`);
chmodSync(join(bin, "kubewright"), 0o755);

// The variables of an npm script would apply to the project's npm, too.
const ofNpm = Object.keys(process.env).filter((name) => name.startsWith("npm_"));
const env = {
  ...Object.fromEntries(ofNpm.map((name) => [name, undefined])),
  PATH: `${bin}:${process.env.PATH}`,
  FORCE_COLOR: "1",
  HOME: home,
  npm_config_update_notifier: "false",
};
const stage = new Stage({ cwd: project, env, columns: 104, rows: 31 });
const init = "init --domain example.com --repo example.com/mygame";
try {
  const created = await stage.command(`npx kubewright ${init}`, `kubewright ${init}`);
  await stage.finished(created);
  await stage.pause(600);
  await stage.clear();
  await stage.run("npx scaffold create api --group play --version v1 --kind Game --resource --controller");
  await stage.pause(1000);
  await stage.clear();
  const dev = await stage.command("npx scaffold dev");
  await stage.sees(dev, "q quit");
  const first = await stage.sees(dev, "reconciled");
  await stage.pause(1500);

  stage.openEditor(13);
  await stage.edit(
    types,
    "export interface GameStatus",
    "\n  /** phase is the phase of the game */\n// +kubebuilder:validation:Enum:=Waiting;Running\nphase?: string;",
  );
  await stage.sees(dev, "configured CustomResourceDefinition", first);
  await stage.pause(1500);

  const before = uncolored(dev).length;
  await stage.edit(
    controller,
    "// Your code goes here.",
    '\nif (object.status?.phase === "Running") return;\nawait this.client.status.update({ ...object, status: { phase: "Running" } });',
  );
  await stage.sees(dev, "1 write", before);
  await stage.sees(dev, "by this manager", before);
  await stage.pause(2500);

  const quit = uncolored(dev).length;
  stage.openShell(15);
  await stage.run("npx scaffold dev why game/game-sample --limit 2");
  await stage.pause(2500);
  const recording = stage.end();
  dev.type("q");
  await stage.sees(dev, "stopped", quit);
  await dev.ended;
  mkdirSync(output, { recursive: true });
  writeFileSync(join(output, "cast.cast"), asciicast(recording, title));
  writeFileSync(join(output, "cast.svg"), svg(recording, title));
  const { frames } = recording;
  process.stdout.write(`${frames.length} frames, ${Math.round((frames.at(-1)?.time ?? 0) / 1000)} s\n`);
} finally {
  rmSync(home, { recursive: true, force: true });
}
process.exit();
