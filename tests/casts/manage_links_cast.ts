import { basic, startChat, type TestChat } from "@/tests/helpers/chat.ts";
import type { TestAppOptions } from "@/tests/helpers/app.ts";

/** Shorten key of the cast's server. */
export const SHORTEN_KEY = "the-shorten-key";

/** A server with a shorten key, and requests that manage its links. */
export interface LinkManagers extends TestChat {
  /** Sends a JSON request with the shorten key, or with other credentials; null sends none. */
  manage(request: string, body?: unknown, authorization?: string | null): Promise<Response>;
  /** Creates a link with properties and returns its id. */
  create(body: Readonly<Record<string, unknown>>): Promise<string>;
  /** Returns the statuses of a visit, of a look without a visit, and of the statistics. */
  statuses(short: string): Promise<number[]>;
  /** Credentials of the administrator. */
  readonly adminKey: string;
}

/** Starts the cast. */
export async function startLinkManagers(options: TestAppOptions = {}): Promise<LinkManagers> {
  const chat = await startChat({ ...options, env: { SHORTEN_API_KEY: SHORTEN_KEY, ...options.env } });
  const manage: LinkManagers["manage"] = (request, body, authorization = `Bearer ${SHORTEN_KEY}`) => {
    const [method = "GET", path = "/"] = request.split(" ");
    const headers: Record<string, string> = {
      ...(authorization === null ? {} : { authorization }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    };
    return chat.request(path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  };
  return {
    ...chat,
    manage,
    adminKey: basic(chat.admin.email, chat.admin.apiKey),
    async create(body) {
      const response = await manage("POST /links", { url: "https://example.com/", ...body });
      const { short, message } = await response.json();
      if (response.status !== 201) throw new Error(`${response.status} ${message}`);
      return short;
    },
    async statuses(short) {
      const path = `/${encodeURIComponent(short)}`;
      const responses = [
        await chat.request(path),
        await chat.request(`${path}?visit=false`),
        await chat.request(`${path}/stats`),
      ];
      await Promise.all(responses.map((response) => response.body?.cancel()));
      return responses.map(({ status }) => status);
    },
  };
}
