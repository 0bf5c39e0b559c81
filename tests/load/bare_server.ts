/**
 * The bare limit that the benchmarks compare with: nothing but Deno.serve and Deno KV, with the same durable
 * group commit, and no routing, validation, logging, metrics or headers. A new link is one row: no check that its id is
 * free, no count, order or index of words. Visits are never applied to the links. Prints its port.
 * Arguments: the store, and `log` for one row for the visits of a commit in place of an entry and a sum for each
 * link.
 */
import { setImmediate } from "node:timers";
import { printLine } from "./table.ts";

const [path = ":memory:", shape = "links"] = Deno.args;
const kv = await Deno.openKv(path);
const links = new Map<string, string>();
type Waiting<T> = { item: T; resolve: () => void; reject: (error: unknown) => void };

function group<T>(max: number, write: (items: T[]) => Promise<unknown>) {
  const queue: Waiting<T>[] = [];
  let busy = false;
  const run = async () => {
    busy = true;
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.length > 0) {
      const batch = queue.splice(0, max);
      try {
        await write(batch.map(({ item }) => item));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    busy = false;
  };
  return (item: T) =>
    new Promise<void>((resolve, reject) => {
      queue.push({ item, resolve, reject });
      if (!busy) run();
    });
}

let batchNumber = 0;
const record = group<{ short: string; at: number }>(2500, (visits) => {
  const byShort = Map.groupBy(visits, ({ short }) => short);
  const atomic = kv.atomic();
  if (shape === "log") {
    const times = Float64Array.from([...byShort.values()].flat(), ({ at }) => at);
    const counts = [...byShort.values()].map(({ length }) => length);
    atomic.set(["visit_log", times[0] ?? 0, `b${batchNumber++}`], {
      shorts: [...byShort.keys()],
      counts,
      times,
    });
    return atomic.sum(["visit_count"], BigInt(visits.length)).commit();
  }
  for (const [short, list] of byShort) {
    const times = Float64Array.from(list, ({ at }) => at);
    atomic.set(["visit", short, times[0] ?? 0, `b${batchNumber++}`], times);
    atomic.sum(["visit_count", short], BigInt(list.length));
  }
  return atomic.sum(["visit_count"], BigInt(visits.length)).commit();
});
const store = group<{ short: string; url: string }>(100, (created) => {
  const atomic = kv.atomic();
  for (const { short, url } of created) atomic.set(["link", short], { url, createdAt: Date.now() });
  return atomic.commit();
});

function draw(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(7));
  return String.fromCodePoint(...Array.from(bytes, (byte) => 0xe0061 + byte % 26));
}

async function answer(request: Request): Promise<Response> {
  if (request.method === "POST") {
    const { url } = await request.json();
    const short = draw();
    await store({ short, url });
    const { origin } = new URL(request.url);
    return Response.json({ short, url: `${origin}/${encodeURIComponent(short)}` }, { status: 201 });
  }
  const short = decodeURIComponent(new URL(request.url).pathname.slice(1));
  let url = links.get(short);
  if (url === undefined) {
    url = (await kv.get<{ url: string }>(["link", short])).value?.url;
    if (url === undefined) return new Response(null, { status: 404 });
    links.set(short, url);
  }
  await record({ short, at: Date.now() });
  return Response.json({ url });
}

const onListen = ({ port }: Deno.NetAddr) => printLine(String(port));
Deno.serve({ port: 0, hostname: "127.0.0.1", onListen }, answer);
