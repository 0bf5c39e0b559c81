import assert from "node:assert/strict";
import { DECLARED_PAGES } from "@/lib/admin/pages/declared_pages.ts";
import { findHelp } from "@/lib/admin/declare/help.ts";
import { createOwnersSamples } from "@/tests/casts/admin_samples_cast.ts";
import { listAdminRoutes, toAdminPath } from "@/tests/helpers/admin_routes.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import { signIn } from "@/tests/helpers/pages.ts";
import { listFiles, ROOT } from "@/tests/helpers/sources.ts";

const CONFIRM = "/admin/bulk-actions/confirm";

Deno.test("every admin page links to an existing section of the guide that names it", async () => {
  await using chat = await startChat();
  const samples = await createOwnersSamples(chat);
  const visitor = await signIn(chat, chat.owner);
  const problems: string[] = [];
  for (const { pattern } of listAdminRoutes().filter(({ isPage }) => isPage)) {
    // Exists for a change of selected users only.
    const query = pattern === CONFIRM ? `?what=deactivate&user=${chat.member.id}` : "";
    const { html } = await visitor.get(toAdminPath(pattern, samples) + query);
    const [, attributes = ""] = /<a ([^>]*)>Help<\/a>/.exec(html) ?? [];
    const { path, title } = findHelp(pattern);
    const [document = "", anchor = ""] = path.split("#");
    const guide = await visitor.get(document);
    if (!attributes.includes(`href="${path}"`) || !attributes.includes(`aria-label="Help: ${title}"`)) {
      problems.push(`${pattern}: ${attributes}`);
    } else if (!guide.html.includes(`<h2 id="${anchor}">${title}</h2>`)) {
      problems.push(`${pattern}: ${path} does not exist`);
    }
  }
  assert.deepEqual(problems, []);
  const patterns = listAdminRoutes().map(({ pattern }) => pattern);
  assert.deepEqual(DECLARED_PAGES.filter(({ path }) => !patterns.includes(path)), []);
});

Deno.test("the guide quotes names that the pages have", () => {
  const product = ["lib", "components"].flatMap(listFiles).filter((path) => /\.tsx?$/.test(path))
    .map((path) => Deno.readTextFileSync(ROOT + path)).join("\n");
  const guide = listFiles("docs/admin").map((path) => Deno.readTextFileSync(ROOT + path)).join("\n");
  const quoted = [...guide.replaceAll(/\s+/g, " ").matchAll(/"([^"]+?)[.,…]*"/g)].map(([, name = ""]) =>
    name
  );
  assert.ok(quoted.length > 20);
  assert.deepEqual(quoted.filter((name) => !product.includes(name)), []);
});
