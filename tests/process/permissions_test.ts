import assert from "node:assert/strict";
import { basic } from "@/tests/helpers/chat.ts";
import { createGardeners } from "@/tests/helpers/command_line.ts";
import { PROJECT, TestServer } from "@/tests/helpers/server.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";

/** Folder of the data in the documentation. */
const DATA = "/var/lib/sotto";

/** Returns the flags of the documented command with the tightest permissions, for a folder with the data. */
async function documentedFlags(data: string): Promise<string[]> {
  const text = await Deno.readTextFile(`${PROJECT}docs/deploying.md`);
  const command = /deno run (--no-prompt .*) main\.ts$/m.exec(text)?.[1] ?? "";
  assert.ok(command.includes(`--allow-write=${DATA}`), "docs/deploying.md names the command");
  return command.replaceAll(DATA, data).replace("--allow-read=.", `--allow-read=${PROJECT}`).split(" ");
}

Deno.test("the server does its work with the tightest permissions that the documentation names", async (t) => {
  await using folder = await createTestFolder();
  const data = `${folder.path}/data`;
  await Deno.mkdir(data);
  const store = `${data}/sotto.kv`;
  const { email, api_key } = await createGardeners(store, { email: "ada@example.com", name: "Ada" });
  // The folder of the installation is the working folder, so that its .env is found.
  await using server = await TestServer.start({
    folder: PROJECT,
    flags: await documentedFlags(data),
    env: { KV_URL: store, MAIL_DIR: `${data}/mail` },
  });
  const headers = { authorization: basic(email, api_key) };
  const statusOf = async (path: string, init: RequestInit = {}) => {
    const response = await server.fetch(path, init);
    await response.body?.cancel();
    return response.status;
  };
  await t.step("pages, files of the build, documentation and metrics are served", async () => {
    for (const path of ["/", "/login", "/docs", "/openapi.json", "/metrics", "/health", "/ready"]) {
      assert.equal(await statusOf(path), 200, path);
    }
    const [style = ""] = /\/[^"]*\.css[^"]*/.exec(await (await server.fetch("/login")).text()) ?? [];
    assert.equal(await statusOf(style), 200, style);
  });
  await t.step("links, messages and files are stored", async () => {
    const json = { "content-type": "application/json" };
    const body = '{"url":"https://example.com/"}';
    assert.equal(await statusOf("/", { method: "POST", headers: json, body }), 201);
    const files = new FormData();
    files.set("file", new File(["a leaf"], "leaf.txt"));
    const post = (path: string, content: BodyInit) =>
      statusOf(`/api/v1/${path}`, { method: "POST", headers, body: content });
    assert.equal(await post("user_uploads", files), 200);
    assert.equal(await post("register", new URLSearchParams()), 200);
  });
  await t.step("mail is written", async () => {
    const form = { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" };
    const body = `email=${encodeURIComponent(email)}`;
    const status = await statusOf("/forgot-password", { method: "POST", headers: form, body });
    assert.ok(status < 400, `answered ${status}`);
    await server.waitFor("a mail is sent", () => [...Deno.readDirSync(`${data}/mail`)].length === 1);
  });
  await t.step("no permission was missing", () => {
    assert.doesNotMatch(server.output + server.errors, /NotCapable|"level":"error"/);
  });
  assert.equal(await server.stop(), 0);
});

Deno.test("with the tightest permissions, the server cannot open a store elsewhere", async () => {
  await using folder = await createTestFolder();
  const flags = await documentedFlags(`${folder.path}/data`);
  const env = { KV_URL: `${folder.path}/elsewhere/sotto.kv` };
  const { code } = await TestServer.runToEnd({ folder: PROJECT, flags, env });
  assert.equal(code, 1);
  assert.deepEqual([...Deno.readDirSync(folder.path)], []);
});
