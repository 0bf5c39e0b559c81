import type { Context } from "fresh";
import { listLastActivity } from "@/lib/chat/activity/store.ts";
import { canSeeEmail, isBot, type UserRecord } from "@/lib/chat/users/model.ts";
import type { State } from "@/lib/services/services.ts";
import { adminRequest } from "../admin_request.ts";
import { toCsvDownload } from "../csv.ts";
import { listMatchingUsers } from "./users_list.ts";
import { ROLE_NAMES } from "./role_names.ts";

const COLUMNS = ["id", "full_name", "email", "role", "kind", "state", "joined", "last_active"];

/** Returns the accounts that the list of users shows, on all of its pages, as a CSV file. */
export async function exportUsers(ctx: Context<State>): Promise<Response> {
  const request = adminRequest(ctx);
  const { chat, realm, user: viewer } = request;
  const users = await listMatchingUsers(request);
  const activity = realm.settings.presence_disabled
    ? new Map<number, number>()
    : await listLastActivity(chat, realm.id);
  const toRow = (user: UserRecord) => [
    String(user.id),
    user.full_name,
    canSeeEmail(viewer, user) ? user.delivery_email : "",
    ROLE_NAMES[user.role],
    isBot(user) ? "bot" : "user",
    user.is_active ? "active" : "deactivated",
    toTime(user.date_joined),
    toTime(activity.get(user.id)),
  ];
  const day = toTime(chat.clock.now()).slice(0, 10);
  return toCsvDownload({ name: `users-${day}.csv`, columns: COLUMNS, rows: mapLazily(users, toRow) });
}

function* mapLazily<T, U>(items: readonly T[], map: (item: T) => U): Generator<U> {
  for (const item of items) yield map(item);
}

function toTime(time: number | undefined): string {
  return time === undefined ? "" : new Date(time).toISOString();
}
