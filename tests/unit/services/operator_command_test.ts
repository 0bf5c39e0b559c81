import assert from "node:assert/strict";
import { type StartedBy, toAdminCommand, toStartCommand } from "@/lib/services/operator_command.ts";

const NPX = "/cache/_npx/0/node_modules/@deno/linux-x64-glibc/deno";

function startedBy(variables: StartedBy["variables"], execPath = "/usr/local/bin/deno"): StartedBy {
  return { execPath, version: "2.9.6", variables };
}

Deno.test("a command is written as the server was started: by npx or by an installed Deno", () => {
  assert.equal(toAdminCommand(startedBy({}), "backup FILE"), "deno task -q admin backup FILE");
  assert.equal(
    toAdminCommand(startedBy({}, NPX), "backup FILE"),
    "npx --yes deno@2.9.6 task -q admin backup FILE",
  );
});

Deno.test("a start repeats the variables that differ from their defaults, quoted for a shell", () => {
  const variables = { PORT: "9000", HOST: "0.0.0.0", KV_URL: "/my data/s.kv", MAIL_DIR: "", HOME: "/root" };
  assert.equal(
    toStartCommand(startedBy(variables), { BASE_URL: "https://sotto.example" }),
    "PORT=9000 KV_URL='/my data/s.kv' BASE_URL=https://sotto.example deno task start",
  );
  assert.equal(
    toStartCommand(startedBy({ BASE_URL: "http://old" }), { BASE_URL: "https://new" }),
    "BASE_URL=https://new deno task start",
  );
});

Deno.test("an operator's command names the store alone", () => {
  const variables = { PORT: "9000", KV_URL: "s.kv" };
  assert.equal(toAdminCommand(startedBy(variables), "check"), "KV_URL=s.kv deno task -q admin check");
});

Deno.test("a command names what holds secrets, and leaves their values out", () => {
  const secrets = {
    SECRET_KEY: "hidden".repeat(6),
    SMTP_URL: "smtp://ada:hidden@mail.example",
    KV_URL: "https://ada:hidden@kv.example",
    DENO_KV_ACCESS_TOKEN: "hidden",
  };
  assert.equal(
    toStartCommand(startedBy(secrets), {}),
    "KV_URL=… SECRET_KEY=… DENO_KV_ACCESS_TOKEN=… SMTP_URL=… deno task start",
  );
  assert.equal(
    toAdminCommand(startedBy(secrets), "check"),
    "KV_URL=… DENO_KV_ACCESS_TOKEN=… deno task -q admin check",
  );
});

Deno.test("a URL with a user or a query may hold a secret", () => {
  for (const KV_URL of ["https://token@kv.example", "https://kv.example/?token=hidden"]) {
    assert.equal(toStartCommand(startedBy({ KV_URL }), {}), "KV_URL=… deno task start");
  }
});

Deno.test("every variable of the configuration is repeated or left out as a secret", async () => {
  const config = await Deno.readTextFile("lib/config.ts");
  const schema = /const environment = z\.object\(\{([\s\S]*?)\n\}\);/.exec(config)?.[1] ?? "";
  const names = [...schema.matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name = ""]) => name);
  assert.ok(names.length > 30);
  const command = toStartCommand(startedBy(Object.fromEntries(names.map((name) => [name, "x"]))), {});
  assert.deepEqual(names.filter((name) => !command.includes(`${name}=`)), ["DENO_DEPLOYMENT_ID"]);
});
