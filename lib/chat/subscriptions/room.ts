import { AppError } from "@/lib/core/errors.ts";

/** Subscriptions and channels that one commit checks: the store takes 100 checks, and some go to who acts. */
const MAX_CHECKS = 95;
/** Characters of all that is told of one request: the store takes some 800 KB in one commit. */
const MAX_TOLD = 400_000;

/**
 * Refuses more than one commit holds, for all of a request happens or nothing: one account in 47 channels, 94 accounts in
 * one channel, or what lies between; the caller counts as well. A channel is read once for itself.
 * @throws AppError BAD_REQUEST.
 */
export function requireRoom({ channels, people }: { channels: number; people: number }): void {
  if (channels * (1 + people) > MAX_CHECKS) throw tooMany();
}

/**
 * Refuses to tell more than one commit holds.
 * @throws AppError BAD_REQUEST.
 */
export function requireRoomToTell(characters: number): void {
  if (characters > MAX_TOLD) throw tooMany();
}

function tooMany(): AppError {
  return new AppError("BAD_REQUEST", "Too many subscriptions for one request. Please send several requests.");
}
