/**
 * The bare limit of a list: nothing but Deno.serve, one listing of Deno KV, the last values below a prefix first, and
 * these as JSON. Prints its port. Arguments: store, prefix as JSON, number of values.
 */
import { printLine } from "./table.ts";

const [path = ":memory:", prefix = "[]", count = "100"] = Deno.args;
const kv = await Deno.openKv(path);
const selector = { prefix: JSON.parse(prefix) };
const options = { reverse: true, limit: Number(count), batchSize: 100 };

const onListen = ({ port }: Deno.NetAddr) => printLine(String(port));
Deno.serve({ port: 0, hostname: "127.0.0.1", onListen }, async () => {
  const values: unknown[] = [];
  for await (const { value } of kv.list(selector, options)) values.push(value);
  return Response.json({ values });
});
