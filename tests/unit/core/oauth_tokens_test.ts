import assert from "node:assert/strict";
import {
  redeemAssertion,
  redeemCode,
  redeemRefreshToken,
  type TokenEndpoint,
} from "@/lib/core/oauth_tokens.ts";

/** A token endpoint on loopback with a configurable response, which records the bodies of requests. */
class TokenServer implements AsyncDisposable {
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly bodies: Record<string, string>[] = [];
  answer: () => Response = () => Response.json({ access_token: "first", token_type: "Bearer" });

  constructor() {
    this.#server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
      this.bodies.push(Object.fromEntries(new URLSearchParams(await request.text())));
      return this.answer();
    });
  }

  endpoint(clientSecret: string | null = "quiet"): TokenEndpoint {
    const url = `http://127.0.0.1:${this.#server.addr.port}/token`;
    return { url, clientId: "sotto", clientSecret };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

const FAILED = { token: null, isRejected: false };
const REJECTED = { token: null, isRejected: true };

Deno.test("each grant sends its parameters, and a client's id only with its secret", async () => {
  await using server = new TokenServer();
  const redirectUri = "http://localhost/complete";
  await redeemCode(server.endpoint(), { code: "abc", redirectUri });
  await redeemRefreshToken(server.endpoint(), "again");
  await redeemRefreshToken(server.endpoint(""), "again");
  await redeemAssertion(server.endpoint(null), "signed");
  const client = { client_id: "sotto", client_secret: "quiet" };
  assert.deepEqual(server.bodies, [
    { grant_type: "authorization_code", code: "abc", redirect_uri: redirectUri, ...client },
    { grant_type: "refresh_token", refresh_token: "again", ...client },
    { grant_type: "refresh_token", refresh_token: "again", client_id: "sotto" },
    { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion: "signed" },
  ]);
});

Deno.test("a token is accepted without a type, with text for its lifetime and with any unused members", async () => {
  await using server = new TokenServer();
  const members = {
    access_token: "first",
    refresh_token: "",
    expires_in: "3600",
    id_token: "?",
    scope: ["a"],
  };
  for (const type of ["application/json", "text/plain"]) {
    server.answer = () => new Response(JSON.stringify(members), { headers: { "content-type": type } });
    const { token, isRejected } = await redeemRefreshToken(server.endpoint(), "again");
    assert.deepEqual([token?.access_token, token?.refresh_token, token?.expires_in, isRejected], [
      "first",
      undefined,
      3600,
      false,
    ]);
  }
});

Deno.test("a grant is rejected by a status 400 or 401; any other response without a usable token is a failure", async () => {
  await using server = new TokenServer();
  const answers: [() => Response, typeof FAILED][] = [
    [() => Response.json({ error: "invalid_grant" }, { status: 400 }), REJECTED],
    [() => new Response("<html>", { status: 400 }), REJECTED],
    [() => new Response(null, { status: 401, headers: { "www-authenticate": "Basic" } }), REJECTED],
    [() => new Response("down", { status: 503 }), FAILED],
    [() => Response.redirect(server.endpoint().url), FAILED],
    [() => new Response(null, { status: 204 }), FAILED],
    [() => new Response("<html>"), FAILED],
    [() => Response.json({ token_type: "bearer" }), FAILED],
    [() => Response.json({ access_token: "first", token_type: "mac" }), FAILED],
    [() => Response.json({ access_token: "first", expires_in: "soon" }), FAILED],
    [() => Response.json({ access_token: "x".repeat(400_000) }), FAILED],
  ];
  for (const [answer, outcome] of answers) {
    server.answer = answer;
    assert.deepEqual(await redeemRefreshToken(server.endpoint(), "again"), outcome, String(answer));
  }
  assert.equal(server.bodies.length, answers.length, "no redirect is followed");
  const gone = server.endpoint();
  await server[Symbol.asyncDispose]();
  assert.deepEqual(await redeemRefreshToken(gone, "again"), FAILED);
});
