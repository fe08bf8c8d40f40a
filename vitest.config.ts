import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

// Tests import the runtime as users do, and get its sources.
const alias = [
  { find: /^@kubewright\/runtime$/, replacement: at("runtime/src/index.ts") },
  { find: /^@kubewright\/runtime\/(envtest|testing|api)$/, replacement: at("runtime/src/$1/index.ts") },
  { find: /^@kubewright\/runtime\/api\/(.+)$/, replacement: at("runtime/src/api/$1.ts") },
];
const exclude = ["**/node_modules/**", "**/dist/**"];

/** Tests are told apart by the end of their names: what each needs decides where it runs. */
export default defineConfig({
  resolve: { alias },
  test: {
    projects: [
      {
        resolve: { alias },
        test: {
          name: "unit",
          sequence: { groupOrder: 0 },
          include: ["src/**/*.test.ts", "runtime/src/**/*.test.ts", "hack/**/*.test.ts", "bench/**/*.test.ts"],
          exclude: [...exclude, "**/*.envtest.test.ts", "**/*.go.test.ts", "**/*.full.test.ts"],
        },
      },
      {
        resolve: { alias },
        // Each file starts its own etcd and kube-apiserver: on two cores two at a time is what the machine carries.
        test: {
          name: "envtest",
          sequence: { groupOrder: 1 },
          include: ["src/**/*.envtest.test.ts", "runtime/src/**/*.envtest.test.ts"],
          exclude,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
      {
        resolve: { alias },
        test: {
          name: "go",
          sequence: { groupOrder: 2 },
          include: ["**/*.go.test.ts"],
          exclude,
          testTimeout: 600_000,
          hookTimeout: 600_000,
          maxWorkers: 1,
        },
      },
      {
        resolve: { alias },
        test: {
          name: "e2e",
          sequence: { groupOrder: 3 },
          include: ["e2e/**/*.test.ts"],
          exclude: [...exclude, "**/*.full.test.ts"],
          testTimeout: 300_000,
          hookTimeout: 600_000,
          maxWorkers: 1,
          fileParallelism: false,
        },
      },
      {
        resolve: { alias },
        test: {
          name: "full",
          sequence: { groupOrder: 4 },
          include: ["**/*.full.test.ts"],
          exclude,
          testTimeout: 1_800_000,
          hookTimeout: 600_000,
          maxWorkers: 1,
          fileParallelism: false,
        },
      },
    ],
  },
});
