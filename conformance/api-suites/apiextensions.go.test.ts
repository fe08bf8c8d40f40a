// The test suite of apiextensions-apiserver, too, passes on the embedded API server's executables where it passes on etcd and
// kube-apiserver.
import { ApiExtensionsSuite } from "./apiextensions.ts";
import { compareServers } from "./go-suites.ts";

compareServers(() => ApiExtensionsSuite.fetch(), ["test/integration", "test/integration/conversion"], {
  least: 100,
  minutes: 60,
});
