/** A server that refuses every request: Deno.serve and nothing else. Prints its port. */
import { printLine } from "./table.ts";

const init = { status: 503, headers: { "retry-after": "1" } };
const onListen = ({ port }: Deno.NetAddr) => printLine(String(port));
Deno.serve({ port: 0, hostname: "127.0.0.1", onListen }, () => new Response("overloaded", init));
