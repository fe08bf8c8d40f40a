// `npm run release`: builds both packages as published ones, and publishes those whose version the registry hasn't got.
import { must } from "../lib/run.mjs";
import { changesets } from "./changesets.mjs";

// Projects that a published command line scaffolds get our packages from the registry.
await must(process.execPath, ["hack/build.mjs"], { env: { KUBEWRIGHT_RELEASE: "true" } });
await must(process.execPath, [await changesets(), "publish"]);
