import assert from "node:assert/strict";
import { join } from "node:path";
import { basic } from "@/tests/helpers/chat.ts";
import { callCommand, tryCommand } from "@/tests/helpers/command_calls.ts";
import { admin, tryAdmin } from "@/tests/helpers/command_line.ts";
import { TestServer } from "@/tests/helpers/server.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";

const REALM = ["--name", "Gardeners", "--owner-email", "owner@example.com", "--owner-name", "Owner"];

async function me(server: TestServer, email: string, key: string) {
  const response = await server.fetch("/api/v1/users/me", { headers: { authorization: basic(email, key) } });
  return { status: response.status, body: await response.json() };
}

Deno.test("the command line creates an organization with users while a server runs, and their keys work immediately", async () => {
  await using server = await TestServer.start();
  const created = await admin(server.store, "create-realm", ...REALM, "--owner-password", "weak");
  assert.deepEqual(Object.keys(created), ["realm_id", "realm_uuid", "user_id", "email", "api_key"]);
  assert.match(created.realm_uuid, /^[0-9a-f-]{36}$/);
  const owner = await me(server, created.email, created.api_key);
  assert.deepEqual([owner.status, owner.body.user_id, owner.body.role], [200, created.user_id, 100]);

  const user = await admin(
    server.store,
    "create-user",
    "--email",
    "ann@example.com",
    "--name",
    "Ann",
    "--role",
    "600",
  );
  assert.deepEqual(Object.keys(user), ["user_id", "email", "api_key"]);
  assert.equal((await me(server, "ann@example.com", user.api_key)).body.role, 600);

  const names = ["--name", "Helper", "--short-name", "helper"];
  const bot = await admin(server.store, "create-bot", "--owner-email", "ann@example.com", ...names);
  assert.deepEqual(Object.keys(bot), ["user_id", "email", "api_key"]);
  assert.equal(bot.email, "helper-bot@localhost");
  const { body } = await me(server, bot.email, bot.api_key);
  assert.deepEqual([body.bot_type, body.bot_owner_id, body.role], [1, user.user_id, 600]);

  const other = await callCommand(server.store, "create-realm", ...REALM, "--subdomain", "other");
  assert.notEqual(other.realm_id, created.realm_id);
  const root = await admin(server.store, "check");
  assert.deepEqual(root.chat, { realms: 2, users: 4, groups: 0, channels: 0, messages: 0, problems: [] });
});

Deno.test("the command line updates accounts and prints their new state", async () => {
  await using server = await TestServer.start();
  const { store } = server;
  await callCommand(store, "create-realm", ...REALM);
  const ann = await callCommand(store, "create-user", "--email", "ann@example.com", "--name", "Ann");
  const named = ["--email", "ann@example.com"];
  const promoted = await callCommand(store, "set-role", ...named, "--role", "300");
  const { user_id, delivery_email, email, full_name, role, is_active } = promoted;
  assert.deepEqual({ user_id, delivery_email, email, full_name, role, is_active }, {
    user_id: ann.user_id,
    delivery_email: "ann@example.com",
    email: "ann@example.com",
    full_name: "Ann",
    role: 300,
    is_active: true,
  });
  assert.equal((await callCommand(store, "deactivate-user", ...named)).is_active, false);
  assert.equal((await me(server, ann.email, ann.api_key)).body.code, "USER_DEACTIVATED");
  assert.equal((await callCommand(store, "reactivate-user", ...named)).is_active, true);
  assert.equal((await me(server, ann.email, ann.api_key)).status, 200);
  const rotated = await callCommand(store, "rotate-api-key", ...named);
  assert.deepEqual([rotated.user_id, rotated.email], [ann.user_id, "ann@example.com"]);
  assert.equal((await me(server, ann.email, ann.api_key)).body.code, "INVALID_API_KEY");
  assert.equal((await me(server, ann.email, rotated.api_key)).status, 200);
  for (const command of [["deactivate-user"], ["set-role", "--role", "400"]]) {
    const [name = "", ...rest] = command;
    const { code, lines, errors } = await tryCommand(store, name, "--email", "owner@example.com", ...rest);
    assert.deepEqual([code, lines], [1, 0]);
    assert.match(errors, /only organization owner/);
  }
});

Deno.test("deactivate-realm deactivates an organization immediately and prints its new state", async () => {
  await using server = await TestServer.start();
  const { store } = server;
  const created = await callCommand(store, "create-realm", ...REALM);
  const closed = await callCommand(store, "deactivate-realm", "--subdomain", "");
  assert.deepEqual(closed, {
    realm_id: created.realm_id,
    realm_uuid: created.realm_uuid,
    subdomain: "",
    name: "Gardeners",
    is_deactivated: true,
  });
  assert.equal((await me(server, created.email, created.api_key)).body.code, "REALM_DEACTIVATED");
  assert.deepEqual(await callCommand(store, "deactivate-realm", "--subdomain", ""), closed);
});

Deno.test("a refused command exits with status 1 and prints no result", async () => {
  await using folder = await createTestFolder();
  const store = join(folder.path, "sotto.kv");
  await callCommand(store, "create-realm", ...REALM);
  const bot = ["create-bot", "--name", "B", "--short-name"];
  const refused: [string[], RegExp][] = [
    [["create-realm", ...REALM], /The subdomain is already in use/],
    [["create-realm", ...REALM, "--subdomain", "-x"], /subdomain must consist of/],
    [["create-user", "--email", "nothing", "--name", "X"], /valid email address/],
    [["create-user", "--email", "OWNER@example.com", "--name", "X"], /already in use/],
    [["create-user", "--email", "x@example.com", "--name", "X", "--subdomain", "no"], /No organization/],
    [[...bot, "b", "--owner-email", "nobody@example.com"], /No user of the organization/],
    [[...bot, "a b", "--owner-email", "owner@example.com"], /Bad name or username/],
    [["set-role", "--email", "nobody@example.com", "--role", "400"], /No user of the organization/],
    [["deactivate-realm", "--subdomain", "no"], /No organization/],
  ];
  const runs = [
    ...refused.slice(0, 1).map((row) => [...row, tryAdmin] as const),
    ...refused.map((row) => [...row, tryCommand] as const),
  ];
  await Promise.all(runs.map(async ([args, message, run]) => {
    const { code, lines, errors } = await run(store, ...args);
    assert.deepEqual([code, lines], [1, 0], args.join(" "));
    assert.match(errors, message);
  }));
  const { code, errors } = await tryCommand(":memory:", "create-realm", ...REALM);
  assert.equal(code, 1);
  assert.match(errors, /in memory/);
});

Deno.test("an incomplete command prints its usage, exits with status 2 and creates no store", async () => {
  await using folder = await createTestFolder();
  const store = join(folder.path, "sotto.kv");
  const wrong = [
    ["create-realm"],
    ["create-realm", ...REALM, "--color", "red"],
    ["create-realm", ...REALM, "--owner-password", ""],
    ["create-user", "--email", "a@example.com"],
    ["create-user", "--email", "a@example.com", "--name", "A", "--role", "500"],
    ["create-bot", "--owner-email", "a@example.com", "--name", "A", "--short-name", "a", "--type", "9"],
    ["set-role", "--email", "a@example.com"],
    ["rotate-api-key", "a@example.com"],
    ["deactivate-realm"],
  ];
  const runs = [
    ...wrong.slice(0, 1).map((args) => [args, tryAdmin] as const),
    ...wrong.map((args) => [args, tryCommand] as const),
  ];
  await Promise.all(runs.map(async ([args, run]) => {
    const { code, lines, errors } = await run(store, ...args);
    assert.deepEqual([code, lines], [2, 0], args.join(" "));
    assert.match(errors, /task -q admin|must not be empty/, args.join(" "));
  }));
  await assert.rejects(Deno.stat(store), Deno.errors.NotFound);
});

Deno.test("concurrent commands all succeed while a server is busy", async () => {
  await using server = await TestServer.start();
  const created = await callCommand(server.store, "create-realm", ...REALM);
  let isLoading = true;
  const load = (async () => {
    while (isLoading) await me(server, created.email, created.api_key);
  })();
  const numbers = [1, 2, 3, 4, 5];
  const users = await Promise.all(
    numbers.map((at) =>
      tryAdmin(server.store, "create-user", "--email", `u${at}@example.com`, "--name", `U${at}`)
    ),
  );
  isLoading = false;
  await load;
  for (const { code, errors } of users) assert.equal(code, 0, errors);
  assert.equal(new Set(users.map(({ result }) => result.user_id)).size, numbers.length);
  assert.equal((await callCommand(server.store, "check")).chat.users, numbers.length + 1);
});

Deno.test("check reports indexes and counts of users and groups that do not match their records", async () => {
  await using folder = await createTestFolder();
  const store = join(folder.path, "sotto.kv");
  const { realm_id } = await callCommand(store, "create-realm", ...REALM);
  {
    using kv = await Deno.openKv(store);
    await kv.atomic().set([realm_id, "owner_count"], 2).set([realm_id, "user_by_email", "x@example.com"], 9)
      .delete([realm_id, "user_by_email", "owner@example.com"]).set([realm_id, "bots", 1], [7])
      .set([realm_id, "group_by_name", "lost"], 5).set([realm_id, "group_use", 5, "realm", 1, "x"], true)
      .commit();
  }
  const { code, result } = await tryCommand(store, "check");
  assert.deepEqual([code, result.ok, result.links.problems], [1, false, []]);
  const about = `Organization ${realm_id}: `;
  assert.deepEqual(result.chat.problems, [
    `${about}in its addresses, owner@example.com is missing, not 1.`,
    `${about}in its addresses, x@example.com should not exist.`,
    `${about}in its lists of bots, 1 should not exist.`,
    `${about}the count of owners is 2; there are 1.`,
    `${about}in its names of groups, lost should not exist.`,
    `${about}in its uses of groups, 5 realm 1 x should not exist.`,
  ]);
});
