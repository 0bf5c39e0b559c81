import type { Context } from "fresh";
import { readBulkAction } from "@/lib/chat/bulk_actions/bulk_actions.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { State } from "@/lib/services/services.ts";
import { adminRequest, pathId } from "../admin_request.ts";

/**
 * Answers the progress of a bulk action as JSON.
 * @throws AppError NOT_FOUND.
 */
export async function readBulkActionProgress(ctx: Context<State>): Promise<Response> {
  const request = adminRequest(ctx);
  const { chat, realm, messages } = request;
  const action = await readBulkAction(chat, realm.id, pathId(request));
  if (action === null) throw new AppError("NOT_FOUND", messages.common.gone);
  const { state, done, total } = action;
  return Response.json({ state, done, total }, { headers: { "cache-control": "no-store" } });
}
