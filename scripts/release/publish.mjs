// `npm run release`: builds the packages as published releases, and publishes those whose version isn't in the registry.
// JavaScript with checked types, because it installs packages, or calls scripts that do.
// @ts-check
import { must } from "../lib/run.mjs";
import { changesets } from "./changesets.mjs";

// In projects scaffolded by a published CLI, our packages come from the registry.
await must(process.execPath, ["scripts/build.mjs"], { env: { KUBEWRIGHT_RELEASE: "true" }, show: true });
await must(process.execPath, [await changesets(), "publish"], { show: true });
