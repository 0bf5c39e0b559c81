import { strict as assert } from "node:assert";
import { TestServer } from "../helpers/server.ts";
import { createTestFolder } from "../helpers/store.ts";

const BAD: readonly [name: string, value: string][] = [
  ["PORT", "eighty"],
  ["BASE_URL", "sotto.example"],
  ["SHORT_LENGTH", "0"],
  ["SHORT_CHARS", '["a","a"]'],
  ["SHORT_REWRITES", "[]"],
  ["BLOCKED_HOSTNAMES", "not a host"],
  ["RATE_LIMITS", "sometimes"],
  ["TRUSTED_PROXIES", "10.0.0.0/99"],
  ["METRICS_TOKEN", "short"],
  ["SECRET_KEY", "short"],
];

Deno.test("each invalid variable is reported in one line, and the server exits with status 2 without creating a store", async () => {
  await using folder = await createTestFolder();
  const env = { ...Object.fromEntries(BAD), KV_URL: `${folder.path}/deep/sotto.kv` };
  const { code, errors, output } = await TestServer.runToEnd({ folder: folder.path, env });
  assert.equal(code, 2);
  assert.equal(output, "");
  const lines = errors.trimEnd().split("\n");
  assert.deepEqual(lines.map((line) => line.split(" ")[0]).sort(), BAD.map(([name]) => name).sort());
  for (const line of lines) assert.match(line, /^[A-Z_]+ accepts \S/);
  assert.deepEqual([...Deno.readDirSync(folder.path)], []);
});

Deno.test("one invalid variable is reported in one line", async () => {
  const { code, errors } = await TestServer.runToEnd({ env: { SHORT_LENGTH: "65" } });
  assert.equal(code, 2);
  assert.equal(errors, "SHORT_LENGTH accepts a whole number from 1 to 64\n");
});

Deno.test(".env in the working folder is read, and environment variables take precedence", async () => {
  await using folder = await createTestFolder();
  const lines = ["SHORT_LENGTH=3", `BLOCKED_HOSTNAMES="blocked.example"`, "UPLOAD_MAX_MIB=none", "PORT=1"];
  await Deno.writeTextFile(`${folder.path}/.env`, lines.join("\n"));
  const { code, errors } = await TestServer.runToEnd({ folder: folder.path });
  assert.deepEqual([code, errors], [2, "UPLOAD_MAX_MIB accepts a whole number from 1 to 1048576\n"]);

  await using server = await TestServer.start({ folder: folder.path, env: { UPLOAD_MAX_MIB: "1" } });
  assert.notEqual(server.port, 1);
  const { short }: { short: string } = await (await shorten(server, "https://example.com/")).json();
  assert.equal([...short].length, 3);
  assert.equal((await shorten(server, "https://blocked.example/")).status, 422);
});

function shorten(server: TestServer, url: string): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return server.fetch("/", { method: "POST", body: JSON.stringify({ url }), headers });
}
