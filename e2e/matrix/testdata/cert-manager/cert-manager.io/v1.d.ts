/** The part of that package's classes that scaffolded code uses. */
export class Issuer {
  apiVersion: "cert-manager.io/v1";
  kind: "Issuer";
  metadata?: { name?: string; namespace?: string };
  spec?: object;
  constructor(data?: object);
}
