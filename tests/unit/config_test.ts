import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { ConfigError, readConfig } from "@/lib/config.ts";

function linesOf(variables: Record<string, string>): readonly string[] {
  try {
    readConfig(variables);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.lines;
  }
  assert.fail("the configuration was accepted");
}

Deno.test("readConfig() has the documented defaults", () => {
  const config = readConfig({});
  assert.deepEqual([config.port, config.host, config.baseUrl], [8000, "0.0.0.0", "http://localhost:8000"]);
  assert.equal(config.kvUrl, "data/sotto.kv");
  assert.deepEqual([config.alphabet.length, config.alphabet.characters.length], [7, 29]);
  assert.deepEqual(config.blockedHostnames, []);
  assert.equal(config.shortenApiKey, null);
  assert.equal(config.invitationLinkValidityMinutes, 14400);
  assert.deepEqual([config.webPublicStreamsEnabled, config.canAccessAllUsersGroupLimitsPresence], [
    true,
    false,
  ]);
  assert.deepEqual([config.mailDir, config.uploadMaxMib, config.uploadQuotaMib], ["data/mail", 25, 0]);
  assert.deepEqual(config.rateLimits?.shorten, { points: 120, seconds: 60 });
  assert.ok(Object.isFrozen(config));
});

Deno.test("readConfig() uses the deployment's store if there is one and KV_URL is unset", () => {
  assert.equal(readConfig({ DENO_DEPLOYMENT_ID: "d" }).kvUrl, null);
  assert.equal(readConfig({ DENO_DEPLOYMENT_ID: "d", KV_URL: ":memory:" }).kvUrl, ":memory:");
});

Deno.test("readConfig() treats an empty variable as unset and removes the final slash of BASE_URL", () => {
  assert.equal(readConfig({ PORT: "", BASE_URL: "https://sotto.example/" }).baseUrl, "https://sotto.example");
  assert.equal(readConfig({ PORT: "9000" }).baseUrl, "http://localhost:9000");
});

Deno.test("readConfig() reports each invalid variable in one line with the accepted values", () => {
  const lines = linesOf({ PORT: "http", SHORT_LENGTH: "0", RATE_LIMITS: "maybe", BASE_URL: "sotto.example" });
  assert.deepEqual(lines.map((line) => line.split(" accepts ")[0]).sort(), [
    "BASE_URL",
    "PORT",
    "RATE_LIMITS",
    "SHORT_LENGTH",
  ]);
  assert.ok(lines.includes("PORT accepts a whole number from 0 to 65535"));
});

Deno.test("readConfig() refuses invalid values", () => {
  const short = "x".repeat(31);
  const refused: [name: string, value: string][] = [
    ["PORT", "65536"],
    ["PORT", "-1"],
    ["SHORT_CHARS", '["a"]'],
    ["SHORT_CHARS", '["a","a"]'],
    ["SHORT_CHARS", '["a","/"]'],
    ["SHORT_CHARS", '["a","?"]'],
    ["SHORT_CHARS", '["a","."]'],
    ["SHORT_CHARS", '["a","bc"]'],
    ["SHORT_CHARS", "abc"],
    ["SHORT_REWRITES", '{"":"a"}'],
    ["SHORT_REWRITES", '["a"]'],
    ["BLOCKED_HOSTNAMES", "bad host"],
    ["SECRET_KEY", short],
    ["JWT_AUTH_KEYS", `{"":{"key":"${short}","algorithms":["HS256"]}}`],
    ["JWT_AUTH_KEYS", "[]"],
    ["RATE_LIMITS", '{"shorten":{"points":0,"seconds":60}}'],
    ["RATE_LIMITS", '{"unknown":{"points":1,"seconds":60}}'],
    ["TRUSTED_PROXIES", "10.0.0.0/33"],
    ["WEB_PUBLIC_STREAMS_ENABLED", "yes"],
    ["SMTP_URL", "mail.example:25"],
    ["PUSH_BOUNCER_KEYS", '[{"public_key":"AAAA","private_key":"AAAA"}]'],
    ["VIDEO_PROVIDER", '{"name":"x"}'],
    ["PUSH_FCM", '{"project_id":"x"}'],
    ["PUSH_APNS", '{"key_id":"k","team_id":"t","private_key":"no key","base_url":"https://push.example"}'],
    ["METRICS_TOKEN", "short"],
  ];
  for (const [name, value] of refused) {
    assert.match(linesOf({ [name]: value }).join(), new RegExp(`^${name} accepts `), `${name}=${value}`);
  }
});

Deno.test("readConfig() reads lists and JSON", () => {
  const config = readConfig({
    BLOCKED_HOSTNAMES: " a.example, ,b.example",
    SHORT_CHARS: '["\\u200b","\\u200c"]',
    SHORT_REWRITES: '{"x":"y"}',
    RATE_LIMITS: '{"shorten":{"points":1,"seconds":2}}',
    TRUSTED_PROXIES: "10.0.0.0/8, ::1",
    JWT_AUTH_KEYS: `{"":{"key":"${"k".repeat(32)}","algorithms":["HS256"]}}`,
  });
  assert.deepEqual(config.blockedHostnames, ["a.example", "b.example"]);
  assert.deepEqual([...config.rewrites], [["x", "y"]]);
  assert.deepEqual([config.rateLimits?.shorten.points, config.rateLimits?.resolve.points], [1, 6000]);
  assert.equal(readConfig({ RATE_LIMITS: "off" }).rateLimits, null);
});

Deno.test("readConfig() accepts push credentials only with valid keys and https or loopback URLs", () => {
  const pem = (type: "ec" | "rsa") => {
    const { privateKey } = type === "ec"
      ? generateKeyPairSync("ec", { namedCurve: "P-256" })
      : generateKeyPairSync("rsa", { modulusLength: 2048 });
    return String(privateKey.export({ type: "pkcs8", format: "pem" }));
  };
  const [rsa, ec] = [pem("rsa"), pem("ec")];
  const fcm = {
    project_id: "p",
    client_email: "a@b.example",
    scope: "s",
    token_uri: "https://id.example/token",
  };
  const apns = { key_id: "k", team_id: "t", private_key: ec, base_url: "http://127.0.0.1:9/" };
  const whole = { ...fcm, private_key: rsa, base_url: "https://push.example" };
  const { pushProviders } = readConfig({ PUSH_FCM: JSON.stringify(whole), PUSH_APNS: JSON.stringify(apns) });
  assert.deepEqual(pushProviders, { fcm: whole, apns: { ...apns, base_url: "http://127.0.0.1:9" } });
  assert.deepEqual(readConfig({}).pushProviders, { fcm: null, apns: null });
  for (
    const wrong of [{ private_key: ec }, { base_url: "http://push.example" }, {
      token_uri: "http://id.example",
    }]
  ) {
    assert.match(
      linesOf({ PUSH_FCM: JSON.stringify({ ...whole, ...wrong }) }).join(),
      /^PUSH_FCM accepts JSON/,
    );
  }
  const foreign = { ...apns, private_key: rsa };
  assert.match(linesOf({ PUSH_APNS: JSON.stringify(foreign) }).join(), /^PUSH_APNS accepts JSON/);
});

Deno.test("readConfig() accepts plain http for secrets only on loopback", () => {
  const provider = (address: string) =>
    JSON.stringify({
      ...{ name: "Meetings", client_id: "a", client_secret: "b", authorize_url: "https://calls.example/a" },
      ...{ token_url: address, create_url: "https://calls.example/c" },
    });
  assert.match(
    linesOf({ VIDEO_PROVIDER: provider("http://calls.example/t") })[0] ?? "",
    /https, or on loopback/,
  );
  assert.match(linesOf({ PUSH_BOUNCER_URL: "http://push.example" })[0] ?? "", /https, or on loopback/);
  for (const address of ["https://calls.example/t", "http://127.0.0.1:1/t", "http://localhost:1/t"]) {
    assert.equal(readConfig({ VIDEO_PROVIDER: provider(address) }).videoProvider?.token_url, address);
  }
  assert.equal(readConfig({ PUSH_BOUNCER_URL: "http://127.0.0.1:9/" }).pushBouncerUrl, "http://127.0.0.1:9");
});
