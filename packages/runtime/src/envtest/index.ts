// Test environments: `import { TestEnvironment } from "@kubewright/runtime/envtest"`.
export { findBinary, type LookupOptions } from "./binaries.ts";
export { kubeconfigFor } from "./host/kubeconfig.ts";
export { type StartOperatorOptions, startOperator, TestedOperator } from "./operator/start-operator.ts";
export type {
  ControllerManagerSettings,
  CRDInstallOptions,
  CreateOptions,
  DeleteObjectsOptions,
  TestEnvironmentOptions,
  UserOptions,
} from "./options.ts";
export { DEFAULT_CONTROLLERS } from "./servers/controller-manager.ts";
export type { Flags } from "./servers/flags.ts";
export { TestEnvironment } from "./test-environment.ts";
export type { WebhookInstallOptions, WebhookServing } from "./webhooks/options.ts";
