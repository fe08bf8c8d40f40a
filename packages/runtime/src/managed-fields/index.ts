export { creatorOf, type ManagedFieldsEntry, managerOf } from "./field-manager.ts";
