export * from "./groupversion-info.ts";
export * from "./sample-types.ts";
