import assert from "node:assert/strict";
import { tryAdminWithInput } from "@/tests/helpers/command_line.ts";
import { TestServer } from "@/tests/helpers/server.ts";

const PASSWORD = "violet kettle seldom 42";
const OWNER = ["--owner-email", "ada@example.com", "--owner-name", "Ada"];

async function canSignIn(server: TestServer, username: string, password: string): Promise<boolean> {
  const body = new URLSearchParams({ username, password });
  const response = await server.fetch("/api/v1/fetch_api_key", { method: "POST", body });
  await response.body?.cancel();
  return response.status === 200;
}

Deno.test("an operator passes passwords on standard input, where no list of processes shows them", async () => {
  await using server = await TestServer.start();
  const { store } = server;
  const realm = ["create-realm", "--name", "Gardeners", ...OWNER, "--owner-password", "-"];
  const made = await tryAdminWithInput(store, `${PASSWORD}\nignored\n`, ...realm);
  assert.equal(made.code, 0, made.errors);
  assert.ok(await canSignIn(server, "ada@example.com", PASSWORD));
  const user = ["create-user", "--email", "ben@example.com", "--name", "Ben", "--password", "-"];
  assert.equal((await tryAdminWithInput(store, `${PASSWORD}\r\n`, ...user)).code, 0);
  assert.ok(await canSignIn(server, "ben@example.com", PASSWORD));
});

Deno.test("a missing or overlong password on standard input is refused as wrong use", async () => {
  await using server = await TestServer.start();
  const realm = ["create-realm", "--name", "Gardeners", ...OWNER, "--owner-password", "-"];
  for (const input of ["", "\n", "x".repeat(10_000)]) {
    const { code, lines, errors } = await tryAdminWithInput(server.store, input, ...realm);
    assert.deepEqual([code, lines], [2, 0], errors);
  }
});
