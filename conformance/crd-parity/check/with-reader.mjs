// Runs the product's CLI with one reader for all sources, so that its readers can be compared with the same CRDs.
//
//   crd-parity run -cli "node check/with-reader.mjs ts-morph"      (needs KUBEWRIGHT)
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [reader] = process.argv.splice(2, 1);
process.argv.push("--reader", reader);
await import(pathToFileURL(join(process.env.KUBEWRIGHT, "bin", "scaffold.js")));
