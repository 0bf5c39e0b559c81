import { strict as assert } from "node:assert";
import { checkLinks } from "@/lib/links/check.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";
import { waitFor } from "@/tests/helpers/wait.ts";
import { TestServer } from "../helpers/server.ts";

const KEY = "a-shorten-key";
const ENV = { SHORTEN_API_KEY: KEY, RATE_LIMITS: "off" };

async function manage(server: TestServer, request: string, body?: unknown): Promise<Record<string, unknown>> {
  const [method = "GET", path = "/"] = request.split(" ");
  const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await server.fetch(path, init);
  assert.ok(response.ok, `${request}: ${response.status}`);
  return await response.json();
}

async function statusOf(server: TestServer, path: string): Promise<number> {
  const response = await server.fetch(path);
  await response.body?.cancel();
  return response.status;
}

async function create(server: TestServer, body: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const { short } = await manage(server, "POST /links", { url: "https://www.example.com/", ...body });
  return encodeURIComponent(String(short));
}

Deno.test("two servers on one store see each other's changes of links at once", async () => {
  await using first = await TestServer.start({ env: ENV });
  await using second = await TestServer.start({ folder: first.folder, env: ENV });
  const short = await create(first);
  // Both servers have the link in memory.
  for (const server of [first, second]) assert.equal(await statusOf(server, `/${short}`), 200);
  const expectAll = async (expected: number) => {
    for (const server of [second, first]) {
      for (const path of [`/${short}`, `/${short}?visit=false`, `/${short}/stats`]) {
        assert.equal(await statusOf(server, path), expected, path);
      }
    }
  };
  await manage(first, `PATCH /links/${short}`, { isDisabled: true });
  await expectAll(410);
  await manage(second, `PATCH /links/${short}`, { isDisabled: false });
  await expectAll(200);
  await manage(first, "POST /blocked-hosts", { host: "example.com" });
  await expectAll(410);
  await manage(second, "DELETE /blocked-hosts/example.com");
  await expectAll(200);
  const limited = await create(second, { maxVisits: 25 });
  const statuses = await Promise.all(
    Array.from({ length: 60 }, (_, at) => statusOf(at % 2 === 0 ? first : second, `/${limited}`)),
  );
  assert.deepEqual([200, 410].map((status) => statuses.filter((one) => one === status).length), [25, 35]);
  await manage(first, `DELETE /links/${short}?visits=keep`);
  await expectAll(410);
});

Deno.test("kill -9 during a bulk deletion leaves every link whole and every total exact", async () => {
  await using folder = await createTestFolder();
  const shorts: string[] = [];
  {
    await using server = await TestServer.start({ folder: folder.path, env: ENV });
    for (let at = 0; at < 300; at++) shorts.push(await create(server, { tags: ["bulk"] }));
    await Promise.all(shorts.map((short) => statusOf(server, `/${short}`)));
    const ids = shorts.map(decodeURIComponent);
    const deletion = manage(server, "DELETE /links", { shorts: ids, visits: "delete" }).catch(() => null);
    await waitFor("the deletion has begun", () => statusOf(server, `/${shorts[0]}`), {
      isMet: (status) => status === 410,
    });
    await server.kill();
    await deletion;
  }
  await using server = await TestServer.start({ folder: folder.path, env: ENV });
  const { total } = await manage(server, "GET /links?tag=bulk");
  const statuses = await Promise.all(shorts.map((short) => statusOf(server, `/${short}?visit=false`)));
  const left = statuses.filter((status) => status === 200).length;
  assert.equal(total, left);
  assert.ok(left < shorts.length);
  // The removal of the visits continues by itself.
  await waitFor("the visits of the deleted links are removed", () => manage(server, "GET /stats"), {
    isMet: ({ urls, visits }) => urls === left && visits === left,
  });
  assert.equal(await server.stop(), 0);
  using kv = await Deno.openKv(server.store);
  assert.deepEqual((await checkLinks(kv)).problems, []);
});
