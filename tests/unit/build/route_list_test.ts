import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { listRouteFiles } from "@/lib/build/route_list.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";

Deno.test("listRouteFiles() lists the files that answer a path, in the order of the paths", async () => {
  await using folder = await createTestFolder();
  const files = [
    "_app.tsx",
    "_middleware.ts",
    "users/_layout.tsx",
    "users/index.ts",
    "users/[id].ts",
    "users/[id]/files/[...path].ts",
    "users/users_test.ts",
    "users/notes.md",
    "(site)/index.tsx",
    "(site)/sign-in.tsx",
    "(site)/(_islands)/Form.tsx",
    "openapi.json.ts",
    "[short]/stats.js",
  ];
  for (const file of files) {
    const path = `${folder.path}/${file}`;
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(path, "");
  }
  const listed = await listRouteFiles(pathToFileURL(`${folder.path}/`));
  assert.deepEqual(listed.map(({ path, file }) => [path, file]), [
    ["/", "(site)/index.tsx"],
    ["/openapi.json", "openapi.json.ts"],
    ["/sign-in", "(site)/sign-in.tsx"],
    ["/users", "users/index.ts"],
    ["/users/{id}", "users/[id].ts"],
    ["/users/{id}/files/{path}", "users/[id]/files/[...path].ts"],
    ["/{short}/stats", "[short]/stats.js"],
  ]);
});
