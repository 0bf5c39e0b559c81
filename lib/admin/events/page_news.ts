import { readPosition } from "@/lib/chat/register/events/retrieve_events.ts";
import type { AdminRequest } from "../admin_request.ts";

/** Attaches an event stream to a page that shows changeable records. */
export async function attachEventStream({ ctx, chat, realm }: AdminRequest): Promise<void> {
  const { state: { admin }, url: { pathname } } = ctx;
  if (admin === undefined) return;
  const path = `/admin/events?${new URLSearchParams({ page: pathname })}`;
  ctx.state.admin = { ...admin, news: { path, position: await readPosition(chat, realm.id) } };
}
