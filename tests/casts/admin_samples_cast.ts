import assert from "node:assert/strict";
import { createAdminSamples } from "@/tests/helpers/admin_samples.ts";
import type { AdminSamples } from "@/tests/helpers/admin_routes.ts";
import { basic, type TestChat } from "@/tests/helpers/chat.ts";
import { signIn } from "@/tests/helpers/pages.ts";

/** Creates one record of each kind that has an administration page, as the owner. */
export async function createOwnersSamples(chat: TestChat): Promise<AdminSamples> {
  const { email, apiKey } = chat.owner;
  const call = async (endpoint: string, params: Readonly<Record<string, unknown>> = {}) => {
    const [method = "", path = ""] = endpoint.split(" ");
    const body = new FormData();
    for (const [name, value] of Object.entries(params)) {
      body.set(name, typeof value === "string" || value instanceof File ? value : JSON.stringify(value));
    }
    const headers = { authorization: basic(email, apiKey) };
    const init = method === "GET" ? { method, headers } : { method, headers, body };
    const response = await chat.request(`/api/v1${path}`, init);
    assert.equal(response.status, 200, endpoint);
    return await response.json();
  };
  const shorten = async () => (await chat.shorten("https://example.com/compost")).slice(1);
  const headers = {
    cookie: `sotto_session=${(await signIn(chat, chat.owner)).token()}`,
    origin: "http://localhost:8000",
    accept: "text/html",
  };
  const visit = (path: string, body?: URLSearchParams) =>
    chat.request(path, body === undefined ? { headers } : { method: "POST", headers, body });
  return await createAdminSamples({ call, shorten, visit });
}
