// Reads the fixtures of the Go module k8s.io/pod-security-admission. Needs Go.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "@kubewright/cel/json";
import { load } from "js-yaml";

/** A Pod that a level of the Pod Security Standards allows or forbids. */
export interface Fixture {
  level: string;
  /** For example `v1.35`. */
  version: string;
  verdict: "pass" | "fail";
  name: string;
  pod: JsonObject;
}

/** @returns the fixtures of all levels and versions */
export function extractFixtures(): Fixture[] {
  const top = join(moduleFolder("k8s.io/pod-security-admission"), "test/testdata");
  const fixtures: Fixture[] = [];
  for (const level of ["baseline", "restricted"]) {
    for (const version of readdirSync(join(top, level))) {
      for (const verdict of ["pass", "fail"] as const) {
        const folder = join(top, level, version, verdict);
        for (const file of readdirSync(folder).sort()) {
          const pod = load(readFileSync(join(folder, file), "utf8")) as JsonObject;
          // The names of the files aren't valid names of Pods.
          const name = file.replace(/\.yaml$/, "").replaceAll("_", "-");
          (pod.metadata as JsonObject).name = name;
          fixtures.push({ level, version, verdict, name, pod });
        }
      }
    }
  }
  return fixtures;
}

function moduleFolder(name: string): string {
  const work = mkdtempSync(join(tmpdir(), "fixtures-"));
  try {
    const versions = fileURLToPath(new URL("../../scripts/api-data/kubernetes/", import.meta.url));
    for (const file of ["go.mod", "go.sum"]) cpSync(join(versions, file), join(work, file));
    execFileSync("go", ["mod", "download", name], { cwd: work });
    const module = execFileSync("go", ["list", "-m", "-json", name], { cwd: work, encoding: "utf8" });
    return (JSON.parse(module) as { Dir: string }).Dir;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
