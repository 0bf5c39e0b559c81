import assert from "node:assert/strict";
import { callCommand } from "@/tests/helpers/command_calls.ts";
import { TestServer } from "@/tests/helpers/server.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";

const ROWS = 600;
const PASSWORD = "violet kettle seldom 42";

/** Sends a form of a page with a session, and returns the path that it redirects to. */
async function submit(
  server: TestServer,
  { path, cookie, body }: { path: string; cookie: string; body: URLSearchParams | FormData },
): Promise<{ location: string; cookies: readonly string[] }> {
  const headers = { cookie, "sec-fetch-site": "same-origin" };
  const response = await server.fetch(path, { method: "POST", body, headers, redirect: "manual" });
  const text = await response.text();
  assert.equal(response.status, 303, text);
  return { location: response.headers.get("location") ?? "", cookies: response.headers.getSetCookie() };
}

async function readProgress(server: TestServer, path: string, cookie: string) {
  const response = await server.fetch(`${path}/progress`, { headers: { cookie } });
  return await response.json();
}

Deno.test("two servers killed during an import and a third create each account once", async () => {
  await using folder = await createTestFolder();
  const store = `${folder.path}/sotto.kv`;
  const owner = ["--owner-email", "owner@example.com", "--owner-name", "Owner", "--owner-password", PASSWORD];
  await callCommand(store, "create-realm", "--name", "Gardeners", ...owner);
  let action = "";
  let cookie = "";
  {
    await using one = await TestServer.start({ folder: folder.path });
    await using other = await TestServer.start({ folder: folder.path });
    const login = new URLSearchParams({ username: "owner@example.com", password: PASSWORD });
    const signedIn = await submit(one, { path: "/login", cookie, body: login });
    cookie = signedIn.cookies.map((line) => line.split(";")[0]).join("; ");
    const file = Array.from({ length: ROWS }, (_, at) => `p${at}@example.com,Person ${at}`);
    const upload = new FormData();
    upload.set("action", "upload");
    upload.set("file", new File([["email,full_name", ...file].join("\n")], "users.csv"));
    action = (await submit(one, { path: "/admin/users/import", cookie, body: upload })).location;
    await submit(one, { path: action, cookie, body: new URLSearchParams({ action: "start" }) });
    const isUnderWay = ({ done }: { done: number }) => done > 0;
    const { done } = await one.waitFor(
      "the import has begun",
      () => readProgress(one, action, cookie),
      isUnderWay,
    );
    await Promise.all([one.kill(), other.kill()]);
    assert.ok(done < ROWS, "the servers are killed before the end");
  }
  await using server = await TestServer.start({ folder: folder.path });
  await server.waitFor(
    "the import ends",
    () => readProgress(server, action, cookie),
    ({ state }) => state === "finished",
  );
  const response = await server.fetch(action, { headers: { cookie } });
  assert.match(await response.text(), /600 users processed\./);
  const csv = await (await server.fetch("/admin/users/export", { headers: { cookie } })).text();
  const addresses = csv.match(/p\d+@example\.com/g) ?? [];
  assert.deepEqual([addresses.length, new Set(addresses).size], [ROWS, ROWS]);
  assert.equal(await server.stop(), 0);
  assert.equal((await callCommand(store, "check")).ok, true);
});
