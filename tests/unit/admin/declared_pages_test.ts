import assert from "node:assert/strict";
import { DECLARED_PAGES, findDeclaredPage } from "@/lib/admin/pages/declared_pages.ts";
import { walkFiles } from "@/lib/build/walk_files.ts";

Deno.test("every module that declares admin pages is served", async () => {
  const folder = new URL("../../../lib/admin/pages/", import.meta.url);
  const listed = await Deno.readTextFile(new URL("page_modules.ts", folder));
  const problems: string[] = [];
  for await (const file of walkFiles(folder)) {
    const declares = /\b(adminPage|confirmPage)[<(]/.test(await Deno.readTextFile(new URL(file, folder)));
    if (declares !== listed.includes(`"./${file}"`)) problems.push(file);
  }
  assert.deepEqual(problems, []);
  assert.equal(new Set(DECLARED_PAGES.map(({ path }) => path)).size, DECLARED_PAGES.length);
});

Deno.test("a page is found by its path, which a slash may end, with its parameters", () => {
  const find = (path: string) => {
    const found = findDeclaredPage(path);
    return found && [found.page.path, found.params];
  };
  assert.deepEqual(find("/admin"), ["/admin", {}]);
  assert.deepEqual(find("/admin/"), ["/admin", {}]);
  assert.deepEqual(find("/admin/groups/new"), ["/admin/groups/new", {}]);
  assert.deepEqual(find("/admin/groups/12/"), ["/admin/groups/[id]", { id: "12" }]);
  assert.deepEqual(find("/admin/organization/emoji/a%20b%2Fc/deactivate"), [
    "/admin/organization/emoji/[name]/deactivate",
    { name: "a b%2Fc" },
  ]);
  for (const path of ["", "/", "/admin/none", "/admin/groups//", "/admin/Groups", "/admin/users/%E0%A4%A"]) {
    assert.equal(find(path), null, path);
  }
});
