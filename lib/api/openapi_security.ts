import type { Access } from "./access.ts";
import type { Json } from "./openapi_schemas.ts";
import { sessionCookieName } from "./cookies.ts";

/** Describes the credentials that operations accept; under https, the cookie has another name. */
export function describeSecuritySchemes(isHttps: boolean): Json {
  return {
    bearerKey: { type: "http", scheme: "bearer", description: "Where the operator set a key" },
    apiKey: { type: "http", scheme: "basic", description: "An account's API address and its API key" },
    sessionCookie: {
      type: "apiKey",
      in: "cookie",
      name: sessionCookieName(isHttps),
      description: "A browser's session, in requests from pages of the same origin " +
        "(`Sec-Fetch-Site: same-origin`, or a matching `Origin`) without an `Authorization` header",
    },
    webhookKey: {
      type: "apiKey",
      in: "query",
      name: "api_key",
      description: "The API key of an incoming webhook bot",
    },
    serverKey: {
      type: "http",
      scheme: "basic",
      description: "The id and the key of a server that is registered for push notifications",
    },
  };
}

/** Parts of an endpoint of the chat API that its credentials follow from. */
interface SecuredSpec {
  readonly access: Access;
  readonly needsKey?: boolean;
  readonly isForServers?: boolean;
}

/** Lists the alternative credentials of an operation of the chat API; an empty object stands for none. */
export function describeSecurity({ access, needsKey, isForServers }: SecuredSpec): readonly Json[] {
  if (isForServers === true) return [{ serverKey: [] }];
  if (access === "public") return [];
  if (access === "incoming_webhook") return [{ webhookKey: [] }, { apiKey: [] }];
  // Bots have no sessions.
  const takesSession = needsKey !== true && access !== "bot";
  return [
    ...(access === "anyone_or_spectator" ? [{}] : []),
    { apiKey: [] },
    ...(takesSession ? [{ sessionCookie: [] }] : []),
  ];
}
