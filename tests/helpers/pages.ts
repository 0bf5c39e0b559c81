import assert from "node:assert/strict";
import type { TestApp } from "./app.ts";
import { PASSWORD, type Person, type TestChat } from "./chat.ts";

/** The fields of a form; one may be sent several times. */
export type Form = Readonly<Record<string, string | readonly string[]>>;

/** A browser without script: keeps cookies, sends forms from this site, follows nothing by itself. */
export interface PageVisitor {
  get(path: string): Promise<Shown>;
  /** Sends a page's form as its own browser does; `headers` takes the place of the proof of origin. */
  post(path: string, fields: Form, headers?: HeadersInit): Promise<Shown>;
  /** The session's token, as the cookie has it; null without one. */
  token(): string | null;
  /** Puts a cookie's value in place of the one that it has. */
  setToken(token: string): void;
}

/** What a browser got. */
export interface Shown {
  readonly status: number;
  readonly html: string;
  readonly location: string | null;
  readonly headers: Headers;
}

/** A new visitor of the organization at this host. */
export function visitPages(app: TestApp, host = "localhost:8000"): PageVisitor {
  const jar = new Map<string, string>();
  const send = async (path: string, init: RequestInit): Promise<Shown> => {
    const headers = new Headers(init.headers);
    if (!headers.has("accept")) headers.set("accept", "text/html");
    headers.set("user-agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0");
    headers.set("cookie", ["other=1", ...Array.from(jar, ([name, value]) => `${name}=${value}`)].join("; "));
    const response = await app.request(path, { ...init, headers }, host);
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "" || /; Max-Age=0\b/.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return {
      status: response.status,
      html: await response.text(),
      location: response.headers.get("location"),
      headers: response.headers,
    };
  };
  return {
    get: (path) => send(path, {}),
    post: (path, fields, headers = { "sec-fetch-site": "same-origin", origin: `http://${host}` }) => {
      const pairs = Object.entries(fields).flatMap(([name, value]) =>
        [value].flat().map((one) => [name, one])
      );
      return send(path, { method: "POST", body: new URLSearchParams(pairs), headers });
    },
    token: () => jar.get("sotto_session") ?? jar.get("__Host-sotto_session") ?? null,
    setToken: (token) => jar.set("sotto_session", token),
  };
}

/** A new visitor of somebody's organization, with him signed in. */
export async function signIn(chat: TestChat, who: Person): Promise<PageVisitor> {
  const { subdomain } = who.realm;
  const visitor = visitPages(chat, subdomain === "" ? undefined : `${subdomain}.localhost:8000`);
  const { status } = await visitor.post("/login", { username: who.email, password: PASSWORD });
  assert.equal(status, 303);
  return visitor;
}
