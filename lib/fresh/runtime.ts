export { asset } from "./runtime/asset.ts";
export { Head, type HeadProps } from "./runtime/head.ts";
