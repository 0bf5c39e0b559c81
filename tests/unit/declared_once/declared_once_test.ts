import assert from "node:assert/strict";
import { ROOT } from "@/tests/helpers/sources.ts";

/** Everything that a yes/no setting of the organization and a permission of channels take, besides their use. */
const ADDED: readonly (readonly [path: string, before: string, added: string])[] = [
  [
    "lib/chat/organizations/settings.ts",
    "  welcome_message_custom_text: setting(",
    `  quiet_hours: flag(true, {
    isOwnerOnly: true,
    about: "Whether nights are quiet.",
    label: "Keep nights quiet",
    hint: "No sounds at night.",
  }),
`,
  ],
  ["lib/admin/organization/realm_sections.ts", '    "name_changes_disabled",\n', '    "quiet_hours",\n'],
  [
    "lib/chat/permissions/model/registry.ts",
    "    can_resolve_topics_group: {",
    `    can_ring_bell_group: {
      defaultGroup: "role:nobody",
      about: "Users who may ring the bell.",
      label: "Ring the bell",
      help: "Who can ring it.",
    },
`,
  ],
];

/** Copies `lib` to a folder with links to everything else. */
async function copyProject(folder: string): Promise<void> {
  const copied = await new Deno.Command("cp", { args: ["-r", `${ROOT}lib`, folder] }).output();
  assert.ok(copied.success, new TextDecoder().decode(copied.stderr));
  for (const { name } of Deno.readDirSync(ROOT)) {
    if (name !== "lib" && name !== ".git") await Deno.symlink(ROOT + name, `${folder}/${name}`);
  }
}

Deno.test("a row adds a setting or a permission to parameters, answers, events, defaults, pages and audit log", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await copyProject(folder);
    for (const [path, before, added] of ADDED) {
      const source = await Deno.readTextFile(ROOT + path);
      assert.equal(source.split(before).length, 2, `${path} has one ${before}`);
      await Deno.writeTextFile(`${folder}/${path}`, source.replace(before, added + before));
    }
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", "--frozen", "tests/unit/declared_once/use_new_rows.ts"],
      cwd: folder,
    }).output();
    assert.ok(success, new TextDecoder().decode(stderr));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
