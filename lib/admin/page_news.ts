import { readPosition } from "@/lib/chat/event_queues/position.ts";
import type { AdminRequest } from "./admin_request.ts";
import { findShownAt } from "./page_events.ts";

/** Notes for the frame of a page where it is told what others change of what it shows, if it shows anything of that kind. */
export async function noteNews({ ctx, chat, realm }: AdminRequest): Promise<void> {
  const { state: { admin }, url: { pathname } } = ctx;
  if (admin === undefined || findShownAt(pathname) === null) return;
  const path = `/admin/events?${new URLSearchParams({ page: pathname })}`;
  ctx.state.admin = { ...admin, news: { path, position: await readPosition(chat, realm.id) } };
}
