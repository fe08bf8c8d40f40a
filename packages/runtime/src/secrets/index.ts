export { masked, maskedChange } from "./masked.ts";
export { isSecretCopy, secretTexts } from "./secret-copy.ts";
export { SecretValues } from "./secret-values.ts";
