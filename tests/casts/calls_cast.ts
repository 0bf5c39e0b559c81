import assert from "node:assert/strict";
import { basic, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";

/** Environment with a video call provider at a local URL. */
export function providerEnv(base: string): Record<string, string> {
  return {
    VIDEO_PROVIDER: JSON.stringify({
      name: "Meetings",
      client_id: "sotto",
      client_secret: "quiet",
      authorize_url: `${base}/authorize?theme=paper`,
      token_url: `${base}/token`,
      create_url: `${base}/meetings`,
    }),
  };
}

/** A video call provider on loopback with configurable responses, which records its requests. */
export class CallProvider implements AsyncDisposable {
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly requests: { path: string; body: string; authorization: string | null }[] = [];
  token: () => Response = () =>
    Response.json({ access_token: "first", refresh_token: "again", expires_in: 3600 });
  call: () => Response | Promise<Response> = () => Response.json({ join_url: "https://calls.example/1" });

  /** Starts the provider on a free port. */
  constructor() {
    this.#server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
      const path = new URL(request.url).pathname;
      const authorization = request.headers.get("authorization");
      this.requests.push({ path, body: await request.text(), authorization });
      return await (path === "/token" ? this.token() : this.call());
    });
  }

  /** Environment of a server that uses the provider. */
  get env(): Record<string, string> {
    return providerEnv(`http://127.0.0.1:${this.#server.addr.port}`);
  }

  /** Stops the provider. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

/** Requests a path of the site as a user. */
export function getAs(chat: TestChat, user: TestUser, path: string): Promise<Response> {
  const headers = { authorization: basic(user.email, user.apiKey) };
  const host = user.realm.subdomain === "other" ? "other.localhost:8000" : undefined;
  return Promise.resolve(chat.request(path, { headers }, host));
}

/** Starts an authorization and returns the state that the provider would send back. */
export async function startConsent(chat: TestChat, user: TestUser): Promise<string> {
  const response = await getAs(chat, user, "/api/v1/calls/videoprovider/register");
  assert.equal(response.status, 302);
  const url = new URL(response.headers.get("location") ?? "");
  const { theme, response_type, client_id, redirect_uri, state = "" } = Object.fromEntries(url.searchParams);
  assert.deepEqual([theme, response_type, client_id], ["paper", "code", "sotto"]);
  assert.equal(redirect_uri, "http://localhost:8000/calls/videoprovider/complete");
  return state;
}

/** Connects a user with their account at the provider. */
export async function consent(chat: TestChat, user: TestUser): Promise<void> {
  const state = await startConsent(chat, user);
  const done = await getAs(chat, user, `/api/v1/calls/videoprovider/complete?code=abc&state=${state}`);
  assert.equal(done.status, 200, await done.clone().text());
}
