import assert from "node:assert/strict";
import { parse } from "csv-parse/sync";
import { parseSetCookie, type SetCookie } from "cookie";
import type { TestApp } from "./app.ts";
import { PASSWORD, type TestChat, type TestUser } from "./chat.ts";

/** Fields of a form; a field may have several values. */
export type Form = Readonly<Record<string, string | readonly string[]>>;

/** A browser without JavaScript: keeps cookies, sends forms from this site, follows no redirects. */
export interface PageVisitor {
  get(path: string): Promise<ShownPage>;
  /** Sends a page's form as its own browser does, also with files; `headers` replaces the proof of origin. */
  post(path: string, fields: Form | FormData, headers?: HeadersInit): Promise<ShownPage>;
  /** Returns the session token of the cookie; null without one. */
  token(): string | null;
  /** Replaces the session token. */
  setToken(token: string): void;
}

/** A response as a browser receives it. */
export interface ShownPage {
  readonly status: number;
  readonly html: string;
  readonly location: string | null;
  readonly headers: Headers;
}

/** Returns the cookies that a response sets, with their values as sent. */
export function cookiesOf(headers: Headers): readonly SetCookie[] {
  return headers.getSetCookie().map((line) => parseSetCookie(line, { decode: (value) => value }));
}

/**
 * Returns a page's markup without its scripts' text, in which the props of islands stand: there, only what could end
 * the script is escaped.
 */
export function withoutScripts(html: string): string {
  return html.replaceAll(/(<script\b[^>]*>).*?<\/script>/gs, "$1</script>");
}

/** Returns a new visitor of the organization at this host. */
export function visitPages(app: TestApp, host = "localhost:8000"): PageVisitor {
  const jar = new Map<string, string>();
  const send = async (path: string, init: RequestInit): Promise<ShownPage> => {
    const headers = new Headers(init.headers);
    if (!headers.has("accept")) headers.set("accept", "text/html");
    headers.set("user-agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0");
    headers.set("cookie", ["other=1", ...Array.from(jar, ([name, value]) => `${name}=${value}`)].join("; "));
    const response = await app.request(path, { ...init, headers }, host);
    for (const { name, value = "", maxAge } of cookiesOf(response.headers)) {
      if (value === "" || maxAge === 0) jar.delete(name);
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
      if (fields instanceof FormData) return send(path, { method: "POST", body: fields, headers });
      const pairs = Object.entries(fields).flatMap(([name, value]) =>
        [value].flat().map((one) => [name, one])
      );
      return send(path, { method: "POST", body: new URLSearchParams(pairs), headers });
    },
    token: () => jar.get("sotto_session") ?? jar.get("__Host-sotto_session") ?? null,
    setToken: (token) => jar.set("sotto_session", token),
  };
}

/** Exports the list that a page's address asks for, and returns the cells of the file's rows, headings first. */
export async function readCsv(visitor: PageVisitor, path: string): Promise<string[][]> {
  const { status, headers, html } = await visitor.post(path, { action: "export" });
  assert.deepEqual([status, headers.get("content-type")], [200, "text/csv; charset=utf-8"]);
  return parse(html, { bom: true });
}

/** Returns a new visitor who is signed in as a user of the cast. */
export async function signIn(chat: TestChat, user: TestUser): Promise<PageVisitor> {
  const { subdomain } = user.realm;
  const visitor = visitPages(chat, subdomain === "" ? undefined : `${subdomain}.localhost:8000`);
  const { status } = await visitor.post("/login", { username: user.email, password: PASSWORD });
  assert.equal(status, 303);
  return visitor;
}
