export type { Config, ExecConfig, ImpersonateConfig } from "./config.ts";
export { inClusterConfig } from "./in-cluster.ts";
export { ConfigError } from "./kubeconfig.ts";
export { getConfigOrDie, type LoadConfigOptions, loadConfig, type ProcessEnvironment } from "./load-config.ts";
