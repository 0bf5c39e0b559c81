import type { WriteCast } from "@/tests/casts/write_cast.ts";
import { basic, type TestParams, type TestUser } from "@/tests/helpers/chat.ts";

/** A valid request of an endpoint or a form that changes something. */
export interface WriteExample {
  /** Method and path as the route list names them; of a page with several forms, also the form's action. */
  readonly endpoint: string;
  /** API of its answers, or page for a form. */
  readonly face: "chat" | "links" | "tus" | "page";
  readonly send: () => Promise<Response>;
  /** Status of a refusal where a success needs a service of another company; a success by default. */
  readonly refusal?: number;
}

/** An API endpoint below /api/v1 with its parameters; `ids` replaces samples of path parameters. */
export type ApiExample = readonly [
  endpoint: string,
  params?: TestParams,
  options?: {
    readonly by?: TestUser | null;
    readonly ids?: Readonly<Record<string, string | number>>;
    /** Credentials in place of the caller's. */
    readonly authorization?: string;
    readonly refusal?: number;
  },
];

/** Converts an endpoint with its parameters to a request of the owner, unless another user is named. */
export function toApiWrite(cast: WriteCast, [endpoint, params = {}, options = {}]: ApiExample): WriteExample {
  const { by = cast.owner, ids = {}, refusal } = options;
  const [method = "", pattern = ""] = endpoint.split(" ");
  const filled = pattern.replace(
    /\{(\w+)\}/g,
    (_, name: string) => encodeURIComponent(ids[name] ?? cast.samples[name] ?? `no sample of ${name}`),
  );
  const authorization = options.authorization ?? (by === null ? null : basic(by.email, by.apiKey));
  const headers: HeadersInit = authorization === null ? {} : { authorization };
  return {
    endpoint: `${method} /api/v1${pattern}`,
    face: "chat",
    send: () => cast.request(`/api/v1${filled}`, { method, headers, body: toBody(params) }),
    ...(refusal === undefined ? {} : { refusal }),
  };
}

function toBody(params: TestParams): FormData | URLSearchParams {
  const values = Object.entries(params);
  const hasFile = values.some(([, value]) => value instanceof Blob);
  const body = hasFile ? new FormData() : new URLSearchParams();
  for (const [name, value] of values) {
    if (value instanceof Blob && body instanceof FormData) body.append(name, value, "picture.png");
    else body.append(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return body;
}
