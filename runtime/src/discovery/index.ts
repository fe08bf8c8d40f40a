export { createRestMapper, type RestMapper, type RestMapping } from "./rest-mapper.ts";
