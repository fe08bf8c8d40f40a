/** The shape of that package's classes, as far as scaffolded code uses it. */
export class Issuer {
  apiVersion: "cert-manager.io/v1";
  kind: "Issuer";
  metadata?: { name?: string; namespace?: string };
  spec?: object;
  constructor(data?: object);
}
