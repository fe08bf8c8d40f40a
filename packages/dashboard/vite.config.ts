import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { billOfMaterials } from "../../scripts/bill-of-materials.ts";

/** The page is part of the package `kubewright`, whose server serves it. */
export default defineConfig({
  // Warnings only: the build is a step of another one.
  logLevel: "warn",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  resolve: { tsconfigPaths: true },
  plugins: [billOfMaterials(fileURLToPath(new URL(".", import.meta.url)))],
  build: {
    outDir: "../../dist/dashboard",
    emptyOutDir: true,
    target: "es2023",
    // The policy of the server allows no inline scripts, and all browsers of that time preload modules.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
});
