import assert from "node:assert/strict";
import { startChat, type TestChat, type TestParams, type TestUser } from "@/tests/helpers/chat.ts";

/** A request that a bot's address received. */
export interface ReceivedWebhook {
  readonly path: string;
  readonly headers: Headers;
  /** The parsed body. */
  // deno-lint-ignore no-explicit-any
  readonly body: Record<string, any>;
}

/** A server on loopback that bots' messages are posted to. */
export interface WebhookServer extends AsyncDisposable {
  readonly url: string;
  /** Requests in order. */
  readonly received: ReceivedWebhook[];
  /** Answers all requests from now on. */
  answer: (request: ReceivedWebhook) => Response | Promise<Response>;
}

/** Starts a server that answers without a message until a test changes its answer. */
export function startWebhookServer(): WebhookServer {
  const received: ReceivedWebhook[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    const { pathname: path } = new URL(request.url);
    const webhook = { path, headers: request.headers, body: await request.json() };
    received.push(webhook);
    return await started.answer(webhook);
  });
  const started: WebhookServer = {
    url: `http://127.0.0.1:${server.addr.port}`,
    received,
    answer: () => Response.json({ response_not_required: true }),
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
  return started;
}

/** A test server that may post to loopback, and the server that its bots' messages are posted to. */
export interface WebhookChat extends TestChat {
  readonly server: WebhookServer;
  /** Creates an outgoing webhook bot of the member. */
  createBot(name: string, params?: TestParams): Promise<TestUser>;
  /** Posts due messages and returns the requests received since the last call. */
  deliver(): Promise<ReceivedWebhook[]>;
  /** Returns the deliveries of a bot, newest first. */
  // deno-lint-ignore no-explicit-any
  deliveries(bot: TestUser): Promise<Record<string, any>[]>;
}

/** Starts a test server whose outgoing webhooks may reach loopback. */
export async function startWebhookChat(): Promise<WebhookChat> {
  const chat = await startChat({ env: { WEBHOOK_INTERNAL_NETWORKS: "127.0.0.1" } });
  const server = startWebhookServer();
  let returned = 0;
  return {
    ...chat,
    server,
    async createBot(name, params = {}) {
      const { status, body } = await chat.call(chat.member, "POST /bots", {
        full_name: name,
        short_name: name.toLowerCase(),
        bot_type: 3,
        payload_url: `${server.url}/${name.toLowerCase()}`,
        ...params,
      });
      assert.equal(status, 200, JSON.stringify(body));
      const email = `${name.toLowerCase()}-bot@localhost`;
      return { id: body.user_id, email, apiKey: body.api_key, realm: chat.realm };
    },
    async deliver() {
      await chat.services.webhookSender.sweep();
      const fresh = server.received.slice(returned);
      returned = server.received.length;
      return fresh;
    },
    async deliveries(bot) {
      const { status, body } = await chat.call(chat.member, `GET /bots/${bot.id}/deliveries`);
      assert.equal(status, 200, JSON.stringify(body));
      return body.deliveries;
    },
    async [Symbol.asyncDispose]() {
      await chat[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
