#!/usr/bin/env node
// Runs `scaffold create project` of the package kubewright with the same arguments.
const { dirname, join } = require("node:path");

const scaffold = join(dirname(require.resolve("kubewright/package.json")), "bin/scaffold.js");
process.argv.splice(1, 1, scaffold, "create", "project");
require(scaffold);
