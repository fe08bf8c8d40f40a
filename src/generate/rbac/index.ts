export { generateRoles, type PolicyRule, type RoleDocument, type RolesInput } from "./roles.ts";
