import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp, VideoProvider } from "../app.ts";

/** Token that lets this server act for a user at the video call provider. */
export interface ProviderToken {
  readonly access_token: string;
  readonly refresh_token: string | null;
  /** Milliseconds since 1970 UTC; null if the provider names no expiry. */
  readonly expires_at: number | null;
}

/** A user's token as it is stored. */
export interface StoredToken {
  /** Null if the server's secret key has changed since the token was sealed. */
  readonly token: ProviderToken | null;
  /** Unique version, different for every stored token. */
  readonly version: string;
}

/**
 * Returns the configured video call provider.
 * @throws AppError BAD_REQUEST if there is none.
 */
export function getVideoProvider({ config }: Pick<ChatApp, "config">): VideoProvider {
  if (config.videoProvider !== null) return config.videoProvider;
  throw new AppError("BAD_REQUEST", "Video provider credentials have not been configured");
}

/** Creates the error for a call that the provider did not create or a token that it failed to refresh. */
export function callFailed({ name }: VideoProvider): AppError {
  return new AppError("BAD_REQUEST", `Failed to create ${name} call`);
}
