import assert from "node:assert/strict";
import { join } from "node:path";
import { basic } from "@/tests/helpers/chat.ts";
import { callCommand } from "@/tests/helpers/command_calls.ts";
import { admin } from "@/tests/helpers/command_line.ts";
import { type ServerOptions, TestServer } from "@/tests/helpers/server.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";

/** Modes by path below a folder, as octal texts. */
type Modes = Readonly<Record<string, string>>;

async function readModes(folder: string, path = ""): Promise<Modes> {
  const { mode, isDirectory } = await Deno.stat(join(folder, path));
  const modes = { [path]: ((mode ?? 0) & 0o777).toString(8) };
  if (!isDirectory) return modes;
  const entries = await Array.fromAsync(Deno.readDir(join(folder, path)));
  const inner = await Promise.all(entries.map(({ name }) => readModes(folder, join(path, name))));
  return Object.assign(modes, ...inner);
}

async function setModes(folder: string, modes: { folders: number; files: number }): Promise<void> {
  for (const { name, isDirectory } of await Array.fromAsync(Deno.readDir(folder))) {
    if (isDirectory) await setModes(join(folder, name), modes);
    else await Deno.chmod(join(folder, name), modes.files);
  }
  await Deno.chmod(folder, modes.folders);
}

function assertPrivate(modes: Modes): void {
  for (const [path, mode] of Object.entries(modes)) {
    assert.equal(mode, /\.(kv|eml)(-wal|-shm)?$/.test(path) ? "600" : "700", `${path} has mode ${mode}`);
  }
}

/** Options of a server whose data is in `data` of a folder, under the usual mask for new files. */
function options(folder: string): ServerOptions {
  return {
    folder,
    shell: "umask 022",
    env: { KV_URL: join(folder, "data/sotto.kv"), MAIL_DIR: join(folder, "data/mail") },
  };
}

/** Invites an address, and waits until the mail is in its file. */
async function sendInvitation(server: TestServer, folder: string): Promise<void> {
  const owner = ["--owner-email", "ada@example.com", "--owner-name", "Ada"];
  const made = await callCommand(
    join(folder, "data/sotto.kv"),
    "create-realm",
    "--name",
    "Gardeners",
    ...owner,
  );
  const response = await server.fetch("/api/v1/invites", {
    method: "POST",
    headers: { authorization: basic(made.email, made.api_key) },
    body: new URLSearchParams({ invitee_emails: "ben@example.com", stream_ids: "[]" }),
  });
  assert.equal(response.status, 200, await response.text());
  await server.waitFor("a mail is written", async () => {
    const modes = await readModes(join(folder, "data"));
    return Object.keys(modes).some((path) => path.endsWith(".eml"));
  });
}

Deno.test("C18: the store of a server and what is made of it are readable by its user only", async (t) => {
  await using folder = await createTestFolder();
  const data = join(folder.path, "data");
  await using first = await TestServer.start(options(folder.path));
  await t.step("a new server keeps its store and its mail readable by its user only", async () => {
    await sendInvitation(first, folder.path);
    const modes = await readModes(data);
    const paths = Object.keys(modes);
    const files = ["sotto.kv", "sotto.kv-wal", "sotto.kv-shm"];
    assert.ok(files.every((path) => paths.includes(path)), paths.join());
    assertPrivate(modes);
  });
  await first.kill();
  await setModes(data, { folders: 0o755, files: 0o644 });
  await using second = await TestServer.start(options(folder.path));
  await t.step("a server restricts the files and folders that an earlier version left open", async () => {
    assertPrivate(await readModes(data));
  });
  await t.step(
    "a backup and a restored store are readable by their user only",
    () => backUpAndRestore(second.folder),
  );
  await t.step("a server that stops leaves no file that others may read", async () => {
    assert.equal(await second.stop(), 0);
    assertPrivate(await readModes(data));
  });
});

async function backUpAndRestore(folder: string): Promise<void> {
  const file = join(folder, "backup.kv");
  await admin(join(folder, "data/sotto.kv"), "backup", file);
  assertPrivate({ "backup.kv": (await readModes(folder))["backup.kv"] ?? "" });
  // A backup of an earlier version is open to everyone; what is restored from it is not.
  await Deno.chmod(file, 0o644);
  const restored = join(folder, "restored");
  await admin(join(restored, "sotto.kv"), "restore", file);
  assertPrivate(await readModes(restored));
  await callCommand(join(restored, "sotto.kv"), "check");
}

Deno.test("C18: a server never restricts a folder that others use as well", async () => {
  await using folder = await createTestFolder();
  const shared = join(folder.path, "shared");
  await Deno.mkdir(shared);
  await Deno.writeTextFile(join(shared, "notes.txt"), "not Sotto's");
  await setModes(shared, { folders: 0o755, files: 0o644 });
  const work = join(folder.path, "work");
  await Deno.mkdir(work);
  await using server = await TestServer.start({
    folder: work,
    env: { KV_URL: join(shared, "sotto.kv"), MAIL_DIR: join(work, "mail") },
  });
  const modes = await readModes(shared);
  assert.deepEqual([modes[""], modes["notes.txt"], modes["sotto.kv"]], ["755", "644", "600"]);
  assert.equal(await server.stop(), 0);
});
