import type { ChannelsView } from "@/lib/admin/channels/channels_page.ts";

/** Returns the address of the channel list with some view parameters changed; default values are left out. */
export function channelsPath(view: ChannelsView, changes: Partial<ChannelsView> = {}): string {
  const { search, kind, state, sort, isDescending, page } = { ...view, ...changes };
  const query = new URLSearchParams({
    ...(search === "" ? {} : { q: search }),
    ...(kind === "" ? {} : { kind }),
    ...(state === "active" ? {} : { state }),
    ...(sort === "name" ? {} : { sort }),
    ...(isDescending ? { order: "descending" } : {}),
    ...(page === 1 ? {} : { page: String(page) }),
  });
  return query.size === 0 ? "/admin/channels" : `/admin/channels?${query}`;
}
