import type { TestServer } from "../helpers/server.ts";

/** Signs a person in and returns the cookie of their session; empty when they are refused. */
export async function signIn(
  server: TestServer,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<string> {
  const response = await server.fetch("/login", {
    method: "POST",
    headers: { origin: server.url },
    body: new URLSearchParams({ username: email, password }),
  });
  await response.body?.cancel();
  const cookies = response.headers.getSetCookie().map((line) => line.split(";")[0] ?? "");
  return cookies.find((cookie) => cookie.startsWith("sotto_session=")) ?? "";
}

/** Fetches the API key of a person and returns the Authorization header. */
export async function authorize(
  server: TestServer,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<string> {
  const body = new URLSearchParams({ username: email, password });
  const response = await server.fetch("/api/v1/fetch_api_key", { method: "POST", body });
  const { api_key } = await response.json();
  return `Basic ${btoa(`${email}:${api_key}`)}`;
}
