/** The development dependencies of a scaffolded project: exact versions that support Node 20.19. */
export const projectTools = Object.freeze({
  biome: "2.5.6",
  esbuild: "0.28.2",
  nodeTypes: "20.19.0",
  typescript: "7.0.2",
  // Vitest accepts any version from 6 on, and one that lacked a dependency made `npm ci` fail in new projects.
  vite: "8.3.8",
  vitest: "4.1.12",
});

/** The options of `make manifests`, as in the Makefile of kubebuilder's projects. */
export const manifestsOptions =
  "rbac:roleName=manager-role crd webhook paths=./... output:crd:artifacts:config=config/crd/bases";
