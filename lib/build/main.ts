import { build } from "./build.ts";
import { isStale, writeStamp } from "./stamp.ts";

if (!Deno.args.includes("--if-stale") || await isStale()) {
  await build();
  await writeStamp();
}
