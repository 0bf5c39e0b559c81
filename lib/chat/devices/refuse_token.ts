import { AppError } from "@/lib/core/errors.ts";

/** Maximum length of a push token, in characters. */
const MAX_TOKEN = 4096;

/**
 * Refuses a token for unencrypted push notifications.
 * @throws AppError BAD_REQUEST for an invalid token, otherwise PUSH_SERVICE_NOT_CONFIGURED.
 */
export function refuseToken(token: string): Promise<never> {
  if (token === "" || token.length > MAX_TOKEN) {
    return Promise.reject(new AppError("BAD_REQUEST", "Empty or invalid length token"));
  }
  const message = "This server sends encrypted push notifications only. Update your app.";
  return Promise.reject(new AppError("PUSH_SERVICE_NOT_CONFIGURED", message));
}

/**
 * Refuses to remove a token for unencrypted push notifications: none is ever stored.
 * @throws AppError BAD_REQUEST.
 */
export function refuseTokenRemoval(): Promise<never> {
  return Promise.reject(new AppError("BAD_REQUEST", "Token does not exist"));
}
