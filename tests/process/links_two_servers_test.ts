import { strict as assert } from "node:assert";
import { checkLinks } from "@/lib/links/check.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";
import { waitFor } from "@/tests/helpers/wait.ts";
import { TestServer } from "../helpers/server.ts";
import { createLink, LINK_ENV, manage, requireSharedLinks, statusOf } from "./shared_links.ts";

Deno.test("two servers on one store see each other's changes of links at once", async () => {
  await using first = await TestServer.start({ env: LINK_ENV });
  await using second = await TestServer.start({ folder: first.folder, env: LINK_ENV });
  await requireSharedLinks(first, second);
});

Deno.test("kill -9 during a bulk deletion leaves every link whole and every total exact", async () => {
  await using folder = await createTestFolder();
  const shorts: string[] = [];
  {
    await using server = await TestServer.start({ folder: folder.path, env: LINK_ENV });
    for (let at = 0; at < 300; at++) shorts.push(await createLink(server, { tags: ["bulk"] }));
    await Promise.all(shorts.map((short) => statusOf(server, `/${short}`)));
    const ids = shorts.map(decodeURIComponent);
    const deletion = manage(server, "DELETE /links", { shorts: ids, visits: "delete" }).catch(() => null);
    await waitFor("the deletion has begun", () => statusOf(server, `/${shorts[0]}`), {
      isMet: (status) => status === 410,
    });
    await server.kill();
    await deletion;
  }
  await using server = await TestServer.start({ folder: folder.path, env: LINK_ENV });
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
