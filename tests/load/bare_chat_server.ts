/**
 * The bare limit of an authenticated read: nothing but Deno.serve, reads of Deno KV one after the other, and the last
 * value as JSON. Prints its port. Arguments: store, file of the value, which is written into the store first, number of
 * reads.
 */
import { printLine } from "./table.ts";

const [path = ":memory:", file = "", reads = "2"] = Deno.args;
const kv = await Deno.openKv(path);
const answer: Record<string, unknown> = JSON.parse(await Deno.readTextFile(file));
await kv.set(["first"], answer);
await kv.set(["second", 1], answer);

const onListen = ({ port }: Deno.NetAddr) => printLine(String(port));
Deno.serve({ port: 0, hostname: "127.0.0.1", onListen }, async () => {
  for (let read = 1; read < Number(reads); read++) await kv.get(["first"]);
  const { value } = await kv.get(["second", 1]);
  return Response.json(value);
});
