/** A refusal of the server, or an unreachable server. */
export class RequestFailure extends Error {
  override readonly name = "RequestFailure";

  /** `status` is null without a response. */
  constructor(message: string, readonly status: number | null) {
    super(message);
  }
}

/** A new link. */
interface CreatedLink {
  readonly short: string;
  /** The absolute short link. */
  readonly url: string;
}

const DEADLINE_MS = 30_000;

/**
 * Shortens a URL.
 * @throws RequestFailure with the server's message where it sent one.
 */
export async function shortenUrl(url: string, key: string | null): Promise<CreatedLink> {
  const headers = new Headers({ "content-type": "application/json", accept: "application/json" });
  if (key !== null) headers.set("authorization", `Bearer ${key}`);
  const body = await send("/", { method: "POST", headers, body: JSON.stringify({ url }) });
  const short = read(body, "short");
  const link = read(body, "url");
  if (typeof short !== "string" || typeof link !== "string") throw unreadable(null);
  return { short, url: link };
}

async function send(path: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(path, { ...init, signal: AbortSignal.timeout(DEADLINE_MS) }).catch(() => null);
  if (response === null) {
    throw new RequestFailure("The server cannot be reached. Your input is still here. Try again.", null);
  }
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body;
  const message = readMessage(body);
  throw message === null ? unreadable(response.status) : new RequestFailure(message, response.status);
}

/** Returns the message of the first problem or else of the refusal, which begins with the field's name. */
function readMessage(body: unknown): string | null {
  const errors = read(body, "errors");
  const first = Array.isArray(errors) ? read(errors[0], "message") : null;
  const message = typeof first === "string" ? first : read(body, "message");
  return typeof message === "string" && message !== "" ? message : null;
}

function unreadable(status: number | null): RequestFailure {
  return new RequestFailure(
    "The server sent an invalid response. Try again in a moment.",
    status,
  );
}

function read(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : null;
}
