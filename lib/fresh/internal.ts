export { setBuildCache } from "./app.ts";
export { type DiskSnapshot, ProdBuildCache } from "./build/prod_build_cache.ts";
