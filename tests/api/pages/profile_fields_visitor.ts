import assert from "node:assert/strict";
import { PASSWORD, type Person, type TestChat } from "@/tests/helpers/chat.ts";
import { visitPages } from "@/tests/helpers/pages.ts";

/** The page of all profile fields. */
export const PAGE = "/admin/profile-fields";

/** A page, or where the browser was sent on to. */
export interface Answered {
  readonly status: number;
  readonly html: string;
  readonly location: string | null;
}

/** Somebody who is signed in and sends forms without script; a field may be sent several times. */
export interface FormVisitor {
  get(path: string): Promise<Answered>;
  post(path: string, fields: Form, headers?: Readonly<Record<string, string>>): Promise<Answered>;
}

/** The fields of a form. */
export type Form = Readonly<Record<string, string | readonly string[]>>;

const SAME_SITE = { "sec-fetch-site": "same-origin", origin: "http://localhost:8000" };

/** Signs somebody of the organization in. */
export async function signIn(chat: TestChat, who: Pick<Person, "email">): Promise<FormVisitor> {
  const visitor = visitPages(chat);
  const answer = await visitor.post("/login", { username: who.email, password: PASSWORD });
  assert.equal(answer.status, 303);
  const cookie = `sotto_session=${visitor.token()}`;
  const send = async (path: string, init: RequestInit): Promise<Answered> => {
    const headers = new Headers(init.headers);
    headers.set("cookie", cookie);
    if (!headers.has("accept")) headers.set("accept", "text/html");
    const response = await chat.request(path, { ...init, headers });
    return {
      status: response.status,
      html: await response.text(),
      location: response.headers.get("location"),
    };
  };
  return {
    get: (path) => send(path, {}),
    post: (path, fields, headers = {}) => {
      const pairs = Object.entries(fields).flatMap(([name, value]) =>
        [value].flat().map((text): [string, string] => [name, text])
      );
      return send(path, {
        method: "POST",
        body: new URLSearchParams(pairs),
        headers: { ...SAME_SITE, ...headers },
      });
    },
  };
}

/** What stands in the inputs of a name on a page, in their order. */
export function inputValues(html: string, name: string): string[] {
  return [...html.matchAll(/<input\b[^>]*>/g)].map(([tag]) => tag)
    .filter((tag) => tag.includes(`name="${name}"`))
    .map((tag) => /\bvalue="([^"]*)"/.exec(tag)?.[1] ?? "");
}

/** The mark of what a form was drawn from. */
export function seenOn(html: string): string {
  return inputValues(html, "seen")[0] ?? "";
}

/** The text of the element with an id; empty where there is none. */
export function textOf(html: string, id: string): string {
  return new RegExp(`id="${id}"[^>]*>([^<]*)<`).exec(html)?.[1] ?? "";
}
