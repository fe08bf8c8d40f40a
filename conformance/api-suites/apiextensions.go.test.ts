// The tests of apiextensions-apiserver that pass with etcd and kube-apiserver must also pass with the embedded API
// server's executables.
import { ApiExtensionsSuite } from "./apiextensions.ts";
import { compareServers } from "./go-suites.ts";

compareServers(() => ApiExtensionsSuite.fetch(), ["test/integration", "test/integration/conversion"], {
  least: 100,
  minutes: 60,
});
