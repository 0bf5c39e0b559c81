export { Builder } from "./dev/builder.ts";
export type { OnTransformArgs, OnTransformOptions, OnTransformResult, TransformFn } from "./dev/bundle.ts";
