export {
  generateRoles,
  type PolicyRule,
  type RbacValue,
  type RoleDocument,
  type RolesInput,
  rbacValue,
} from "./roles.ts";
