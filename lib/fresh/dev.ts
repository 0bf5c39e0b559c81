export { Builder, type BuildOptions, type ResolvedBuildConfig } from "./dev/builder.ts";
export type { OnTransformArgs, OnTransformOptions, OnTransformResult, TransformFn } from "./dev/transform.ts";
