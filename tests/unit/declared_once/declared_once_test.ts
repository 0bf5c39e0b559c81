import assert from "node:assert/strict";
import { ROOT } from "@/tests/helpers/sources.ts";

/** Everything that a yes/no setting of the organization and a permission of channels take, besides their use. */
const ADDED: readonly (readonly [path: string, before: string, added: string])[] = [
  [
    "lib/chat/organization/organizations/settings.ts",
    "  welcome_message_custom_text: setting(",
    `  quiet_hours: flag(true, {
    isOwnerOnly: true,
    about: "Whether nights are quiet.",
    label: "Keep nights quiet",
    hint: "No sounds at night.",
  }),
`,
  ],
  ["lib/admin/pages/organization/settings.tsx", '    "name_changes_disabled",\n', '    "quiet_hours",\n'],
  [
    "lib/chat/organization/permissions/model/registry.ts",
    "    can_subscribe_group: {",
    `    can_ring_bell_group: {
      defaultGroup: "role:nobody",
      about: "Users who may ring the bell.",
      label: "Ring the bell",
      help: "Who can ring it.",
    },
`,
  ],
];

/**
 * Files of the small noun of CONTRIBUTING.md, and where another noun has them; the page is only that of this example.
 */
const NOUN_FILES = [
  ["lib/chat/messages/saved_snippets.ts", "lib/chat/messages/bookmarks.ts"],
  ["routes/api/v1/saved_snippets/index.ts", "routes/api/v1/bookmarks/index.ts"],
  [
    "routes/api/v1/saved_snippets/[saved_snippet_id].ts",
    "routes/api/v1/bookmarks/[bookmark_id].ts",
  ],
  ["tests/unit/declared_once/snippets_page.tsx", "lib/admin/pages/bookmarks.tsx"],
] as const;
const MAX_NOUN_LINES = 250;

/** Names the noun in the place of saved snippets. */
function toNewNoun(text: string): string {
  return text.replace(/saved[_ ]snippet|snippet/g, "bookmark").replace(/SavedSnippet|Snippet/g, "Bookmark");
}

/** Rows that a small noun takes in other files. */
const NOUN_ROWS: typeof ADDED = [
  [
    "lib/chat/register/parts.ts",
    "import { snippets,",
    'import { bookmarks, bookmarksSchema } from "@/lib/chat/messages/bookmarks.ts";\n',
  ],
  [
    "lib/chat/register/parts.ts",
    '  statePart("saved_snippets"',
    `  statePart("bookmarks", bookmarksSchema, async ({ app, realm, user }) => ({
    bookmarks: await bookmarks.list(app, { realm, actingUser: user }),
  })),
`,
  ],
  [
    "lib/cli/check_chat.ts",
    "import { snippets }",
    'import { bookmarks } from "@/lib/chat/messages/bookmarks.ts";\n',
  ],
  ["lib/cli/check_chat.ts", "snippets, scheduledMessages", "bookmarks, "],
  ["lib/api/openapi_tags.ts", "saved_snippets", "bookmarks "],
  [
    "lib/admin/pages/page_modules.ts",
    "export * as activity",
    'export * as bookmarks from "./bookmarks.tsx";\n',
  ],
];

/** Copies `lib` and `routes` to a folder with links to everything else. */
async function copyProject(folder: string): Promise<void> {
  const sources = COPIED.map((name) => ROOT + name);
  const copied = await new Deno.Command("cp", { args: ["-r", ...sources, folder] }).output();
  assert.ok(copied.success, new TextDecoder().decode(copied.stderr));
  for (const { name } of Deno.readDirSync(ROOT)) {
    if (!COPIED.includes(name) && name !== ".git") await Deno.symlink(ROOT + name, `${folder}/${name}`);
  }
}

const COPIED = ["lib", "routes"];

async function addRows(folder: string, rows: typeof ADDED): Promise<void> {
  for (const [path, before, added] of rows) {
    const source = await Deno.readTextFile(`${folder}/${path}`);
    assert.equal(source.split(before).length, 2, `${path} has one ${before}`);
    await Deno.writeTextFile(`${folder}/${path}`, source.replace(before, added + before));
  }
}

/** Runs a script of this folder in a copy of the product, which `prepare` changes. */
async function runInCopy(script: string, prepare: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await copyProject(folder);
    await prepare(folder);
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", "--frozen", `tests/unit/declared_once/${script}`],
      cwd: folder,
    }).output();
    assert.ok(success, new TextDecoder().decode(stderr));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("a row adds a setting or a permission to parameters, answers, events, defaults, pages and audit log", async () => {
  await runInCopy("use_new_rows.ts", (folder) => addRows(folder, ADDED));
});

Deno.test("a small noun is one file, its routes, its page, and rows of the lists of those", async () => {
  await runInCopy("use_new_noun.ts", async (folder) => {
    let lines = 0;
    for (const [path, added] of NOUN_FILES) {
      const text = toNewNoun(await Deno.readTextFile(ROOT + path));
      const target = `${folder}/${added}`;
      await Deno.mkdir(target.slice(0, target.lastIndexOf("/")), { recursive: true });
      await Deno.writeTextFile(target, text);
      lines += text.split("\n").length - 1;
    }
    assert.ok(lines <= MAX_NOUN_LINES, `The noun has ${lines} lines`);
    await addRows(folder, NOUN_ROWS);
  });
});
