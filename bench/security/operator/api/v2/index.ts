export * from "./groupversion-info.ts";
export * from "./order-types.ts";
// +kubebuilder:scaffold:types
