import type { ChatApp } from "../app.ts";
import type { ParamValues } from "../params/param.ts";
import type { reportPresenceParams } from "./api.ts";
import { listPresences } from "./list_presences.ts";
import type { PresenceViewer } from "./model.ts";
import { reportPresence } from "./report_presence.ts";

/**
 * Stores the caller's presence and returns that of other users; empty for a client that only reports.
 * @throws AppError BAD_REQUEST for an unknown status.
 */
export async function exchangePresence(
  app: ChatApp,
  caller: PresenceViewer,
  { status, ping_only, slim_presence, last_update_id, history_limit_days }: ParamValues<
    typeof reportPresenceParams
  >,
): Promise<Partial<Awaited<ReturnType<typeof listPresences>>>> {
  await reportPresence(app, caller, status);
  if (ping_only) return {};
  const isSlim = slim_presence || last_update_id !== undefined;
  return await listPresences(app, caller, { isSlim, after: last_update_id, days: history_limit_days });
}
