import { listChannelFolders } from "@/lib/chat/channel_folders.ts";
import type { ChannelRecord } from "@/lib/chat/channels/model/channel.ts";
import { listVisibleChannels, peekDefaultChannelIds } from "@/lib/chat/channels/store.ts";
import { countSubscribers } from "@/lib/chat/channels/subscriptions/store.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import type { AdminPageSpec } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import { type ChannelKind, kindOf } from "./channel_kind.ts";

/** Number of channels on a page. */
const PAGE_SIZE = 50;
const STATES = ["active", "archived", "all"] as const;
const KIND_FILTERS = ["", "public", "private", "web"] as const;
const SORTS = ["name", "subscribers"] as const;

/** View of the list, from the URL. */
export interface ChannelsView {
  readonly search: string;
  readonly kind: typeof KIND_FILTERS[number];
  readonly state: typeof STATES[number];
  readonly sort: typeof SORTS[number];
  readonly isDescending: boolean;
  /** From 1. */
  readonly page: number;
}

/** A channel in the list. */
export interface ListedChannel {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly kind: ChannelKind;
  readonly folder: string | null;
  readonly subscriberCount: number;
  readonly isDefault: boolean;
  readonly isArchived: boolean;
}

/** Data of the channels page. */
export interface ChannelsData {
  readonly view: ChannelsView;
  readonly channels: readonly ListedChannel[];
  /** Number of matching channels. */
  readonly count: number;
  /** Number of all channels. */
  readonly total: number;
  /** Number of channels before the first one shown. */
  readonly from: number;
  readonly hasMore: boolean;
}

/** The page of all channels visible to the administrator. */
export const channelsPage: AdminPageSpec<ChannelsData> = { load: loadChannels };

async function loadChannels(request: AdminRequest): Promise<ChannelsData> {
  const { chat, realm, user, query } = request;
  const view = readView(query);
  const permissions = await peekPermissionContext(chat, realm);
  const known = await listVisibleChannels(chat, permissions, user);
  const organization = await chat.readOrganization(realm.id);
  const countOf = ({ id }: ChannelRecord) => countSubscribers(organization, id);
  const search = view.search.trim().toLowerCase().replace(/^#/, "");
  const wanted = known.map(({ channel }) => channel).filter((channel) =>
    isWanted(channel, view) && channel.name.toLowerCase().includes(search)
  );
  const sorted = sortChannels(wanted, view, countOf);
  const from = Math.min((view.page - 1) * PAGE_SIZE, lastPageStart(sorted.length));
  const shown = sorted.slice(from, from + PAGE_SIZE);
  return {
    view: { ...view, page: from / PAGE_SIZE + 1 },
    channels: await toListed(request, shown, countOf),
    count: sorted.length,
    total: known.length,
    from,
    hasMore: from + PAGE_SIZE < sorted.length,
  };
}

function lastPageStart(count: number): number {
  return Math.max(0, Math.ceil(count / PAGE_SIZE) - 1) * PAGE_SIZE;
}

function readView(query: URLSearchParams): ChannelsView {
  const among = <T extends string>(choices: readonly T[], name: string, otherwise: T): T =>
    choices.find((choice) => choice === query.get(name)) ?? otherwise;
  const page = query.get("page") ?? "";
  const sort = among(SORTS, "sort", "name");
  return {
    search: (query.get("q") ?? "").slice(0, 200),
    kind: among(KIND_FILTERS, "kind", ""),
    state: among(STATES, "state", "active"),
    sort,
    isDescending: query.get("order") === "descending",
    page: /^[1-9]\d{0,6}$/.test(page) ? Number(page) : 1,
  };
}

function isWanted(channel: ChannelRecord, { kind, state }: ChannelsView): boolean {
  if (state !== "all" && channel.is_archived !== (state === "archived")) return false;
  if (kind === "web") return channel.is_web_public;
  if (kind === "private") return channel.invite_only;
  return kind === "" || (!channel.invite_only && !channel.is_web_public);
}

/** Sorts channels for the view; the list arrives sorted by name. */
function sortChannels(
  channels: readonly ChannelRecord[],
  { sort, isDescending }: ChannelsView,
  countOf: (channel: ChannelRecord) => number,
): readonly ChannelRecord[] {
  const ascending = sort === "name"
    ? channels
    : channels.toSorted((one, other) => countOf(one) - countOf(other));
  return isDescending ? ascending.toReversed() : ascending;
}

async function toListed(
  { chat, realm }: AdminRequest,
  channels: readonly ChannelRecord[],
  countOf: (channel: ChannelRecord) => number,
): Promise<readonly ListedChannel[]> {
  const folders = await listChannelFolders(chat, realm, { includeArchived: true });
  const folderNames = new Map(folders.map(({ id, name }) => [id, name]));
  const defaults = new Set(await peekDefaultChannelIds(chat, realm.id));
  return channels.map((channel) => ({
    id: channel.id,
    name: channel.name,
    description: channel.description,
    kind: kindOf(channel),
    folder: channel.folder_id === null ? null : folderNames.get(channel.folder_id) ?? null,
    subscriberCount: countOf(channel),
    isDefault: defaults.has(channel.id),
    isArchived: channel.is_archived,
  }));
}
