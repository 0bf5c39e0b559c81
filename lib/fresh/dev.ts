export { Builder } from "./dev/builder.ts";
export type { BuildOptions, ResolvedBuildConfig } from "./dev/build_config.ts";
export type { OnTransformArgs, OnTransformOptions, OnTransformResult, TransformFn } from "./dev/transform.ts";
