/** Outcome of a form that a script sent. */
export type ActionOutcome =
  | { readonly isDone: true; readonly flash: string; readonly result: Readonly<Record<string, unknown>> }
  | { readonly isDone: false; readonly problems: Readonly<Record<string, string>> };

const DEADLINE_MS = 30_000;

/** Event on the document when a form could not be sent because the session has ended. */
export const SESSION_ENDED = "sotto:session-ended";
/** Event on the document when a form is sent; its detail is the promise of the response. */
export const ACTION_SENT = "sotto:action-sent";
/** Response header of a form that changed something: the event id that its page is up to date with. */
export const POSITION_HEADER = "sotto-position";

/**
 * Sends a form of this page by script and returns the server's outcome; `failed` is the message without a
 * response.
 */
export async function sendPageAction(fields: URLSearchParams, failed: string): Promise<ActionOutcome> {
  try {
    const sent = fetch(location.pathname + location.search, {
      method: "POST",
      headers: { accept: "application/json" },
      body: fields,
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    document.dispatchEvent(new CustomEvent(ACTION_SENT, { detail: sent }));
    const response = await sent;
    if (hasNoSession(response)) {
      document.dispatchEvent(new CustomEvent(SESSION_ENDED));
      return { isDone: false, problems: { form: failed } };
    }
    const body: unknown = await response.json();
    if (response.ok) {
      return { isDone: true, flash: String(read(body, "flash") ?? ""), result: toRecord(body) };
    }
    const problems = read(body, "problems");
    if (isTexts(problems)) return { isDone: false, problems };
    const message = read(body, "message");
    return { isDone: false, problems: { form: typeof message === "string" && message || failed } };
  } catch {
    return { isDone: false, problems: { form: failed } };
  }
}

/**
 * Visitors without a session are redirected to sign in; a page in place of data, or a refusal, means the
 * same.
 */
function hasNoSession({ redirected, url, status, headers }: Response): boolean {
  if (redirected && new URL(url).pathname === "/login") return true;
  const isData = headers.get("content-type")?.includes("json") ?? false;
  return !isData && (status === 401 || status === 403);
}

function read(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return typeof value === "object" && value !== null &&
    Object.values(value).every((text) => typeof text === "string");
}
