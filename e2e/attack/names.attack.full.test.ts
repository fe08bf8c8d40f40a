// More of names.attack.test.ts, of which npm test has a small sample; KUBEWRIGHT_NAMES=all has each flag with each value.
process.env.KUBEWRIGHT_NAMES ??= "600";
await import("./names.attack.test.ts");
