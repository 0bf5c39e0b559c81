import { strict as assert } from "node:assert";
import type { TestServer } from "../helpers/server.ts";

/** Key that manages links. */
const KEY = "a-shorten-key";
/** Environment of servers whose links are managed. */
export const LINK_ENV = { SHORTEN_API_KEY: KEY, RATE_LIMITS: "off" };

/** Sends a request that manages links and returns its answer. */
export async function manage(
  server: TestServer,
  request: string,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const [method = "GET", path = "/"] = request.split(" ");
  const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await server.fetch(path, init);
  assert.ok(response.ok, `${request}: ${response.status}`);
  return await response.json();
}

/** Returns the status with which a server answers a GET request. */
export async function statusOf(server: TestServer, path: string): Promise<number> {
  const response = await server.fetch(path);
  await response.body?.cancel();
  return response.status;
}

/** Creates a link and returns its id, percent-encoded. */
export async function createLink(
  server: TestServer,
  body: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { short } = await manage(server, "POST /links", { url: "https://www.example.com/", ...body });
  return encodeURIComponent(String(short));
}

/** Shortens a URL of a host that is blocked at times, and returns the status. */
async function shortenOn(server: TestServer): Promise<number> {
  const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
  const body = JSON.stringify({ url: "https://www.example.com/" });
  const response = await server.fetch("/", { method: "POST", headers, body });
  await response.body?.cancel();
  return response.status;
}

/** Changes links on each of two servers of one store, and asserts that both act on every change at once. */
export async function requireSharedLinks(first: TestServer, second: TestServer): Promise<void> {
  const short = await createLink(first);
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
  await manage(first, `PATCH /links/${short}`, { url: "https://www.example.com/new" });
  for (const server of [second, first]) {
    const { url } = await (await server.fetch(`/${short}`)).json();
    assert.equal(url, "https://www.example.com/new");
  }
  await manage(first, "POST /blocked-hosts", { host: "example.com" });
  assert.equal(await shortenOn(second), 422);
  await expectAll(410);
  await manage(second, "DELETE /blocked-hosts/example.com");
  assert.equal(await shortenOn(first), 201);
  await expectAll(200);
  const limited = await createLink(second, { maxVisits: 25 });
  const statuses = await Promise.all(
    Array.from({ length: 60 }, (_, at) => statusOf(at % 2 === 0 ? first : second, `/${limited}`)),
  );
  assert.deepEqual([200, 410].map((status) => statuses.filter((one) => one === status).length), [25, 35]);
  await manage(first, `DELETE /links/${short}?visits=keep`);
  await expectAll(410);
}
