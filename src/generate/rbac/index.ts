export {
  generateRoles,
  type PolicyRule,
  type RbacArguments,
  type RoleDocument,
  type RolesInput,
} from "./roles.ts";
