import { build } from "./build.ts";
import { writeStamp } from "./stamp.ts";

// Runs anew after each change: the watcher restarts this module, which builds and then is the server.
await build();
await writeStamp();
const { serve } = await import("@/main.ts");
await serve();
