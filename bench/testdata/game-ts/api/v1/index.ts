export * from "./game-types.ts";
export * from "./groupversion-info.ts";
