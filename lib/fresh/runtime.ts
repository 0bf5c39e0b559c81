export { asset, assetSrcSet, IS_BROWSER } from "./runtime/asset.ts";
export { Head, type HeadProps } from "./runtime/head.ts";
export { HttpError } from "./runtime/http_error.ts";
