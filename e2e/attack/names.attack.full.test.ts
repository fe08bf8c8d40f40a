// All of names.attack.test.ts, of which npm test has a sample.
process.env.KUBEWRIGHT_NAMES = "all";
await import("./names.attack.test.ts");
