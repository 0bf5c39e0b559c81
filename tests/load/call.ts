import type { LoadUser } from "./chat_seeding.ts";
import type { Target } from "./servers.ts";

/** One request to the chat API. */
export interface Call {
  readonly user: LoadUser | undefined;
  readonly method: string;
  readonly path: string;
  readonly form?: Record<string, string>;
}

/** The answer to one request; throws when it is refused. */
export async function callSotto(
  sotto: Target,
  { user, method, path, form }: Call,
): Promise<Record<string, unknown>> {
  const response = await fetch(sotto.url + path, {
    method,
    headers: { authorization: user?.authorization ?? "" },
    signal: AbortSignal.timeout(10_000),
    ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}
