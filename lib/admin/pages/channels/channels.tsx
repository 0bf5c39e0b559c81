import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { Link } from "@/components/Link.tsx";
import { listChannelFolders } from "@/lib/chat/channels/channel_folders.ts";
import type { ChannelRecord } from "@/lib/chat/organization/channels/model/channel.ts";
import { defaultChannelIds, listVisibleChannels } from "@/lib/chat/channels/store.ts";
import { countSubscribers } from "@/lib/chat/channels/subscriptions/store.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import { isAdmin } from "@/lib/chat/organization/users/model.ts";
import { PRIMARY_BUTTON } from "@/lib/ui/class_names.ts";
import {
  FilteredList,
  type ListView,
  NamedItem,
  readListView,
  toListPage,
} from "@/lib/admin/declare/list.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { always, ofMembership } from "@/lib/admin/events/shown_events.ts";
import { CHANNEL_KIND_NAMES, kindOf } from "./channel_kind.ts";

const NEW = "/admin/channels/new";
const LIST = {
  path: "/admin/channels",
  title: "Channels",
  searchLabel: "Name",
  filters: {
    kind: {
      label: "Type",
      choices: { "": "All types", public: "Public", private: "Private", web: "Open to the web" },
    },
    state: {
      label: "Status",
      choices: { active: "Active", archived: "Archived", all: "Active and archived" },
    },
  },
  sorts: ["name", "subscribers"],
  range: { one: "{from} of {count} channel", other: "{from}–{to} of {count} channels" },
  nothing: {
    title: "No matching channels.",
    advice: "Change the filters, or include archived channels.",
    link: "Show all channels",
    to: "/admin/channels?state=all",
  },
};

export const channelsPage = adminPage({
  path: LIST.path,
  title: LIST.title,
  find: { words: "streams rooms default private public retention privacy topics subscribers archive" },
  lede: "Manage channels, and who can read and use them.",
  actions: () => {
    const { t, opens } = useTexts(null);
    return opens(NEW) ? <Link class={PRIMARY_BUTTON} href={NEW}>{t("Create channel")}</Link> : null;
  },
  shows: { stream: always, subscription: ofMembership, default_streams: always, channel_folder: always },
  load: async (request) => {
    const { chat, realm, user } = request;
    const view = readListView(LIST, request.query);
    const organization = await chat.readOrganization(realm.id);
    const visible = await listVisibleChannels(chat, permissionsOf(organization, chat.clock), user);
    const known = visible.filter(({ channel: { id } }) => request.opens(`/admin/channels/${id}`));
    const countOf = ({ id }: ChannelRecord) => countSubscribers(organization, id);
    const search = view.search.trim().toLowerCase().replace(/^#/, "");
    const found = known.map(({ channel }) => channel)
      .filter((channel) => isWanted(channel, view) && channel.name.toLowerCase().includes(search));
    const ascending = view.sort === "name"
      ? found
      : found.toSorted((one, other) => countOf(one) - countOf(other));
    const page = toListPage(view, view.isDescending ? ascending.toReversed() : ascending);
    const folders = await listChannelFolders(chat, realm, { includeArchived: true });
    const folderNames = new Map(folders.map(({ id, name }) => [id, name]));
    const defaults = new Set(await defaultChannelIds.read(chat, realm.id));
    const items = page.items.map((channel) => ({
      ...channel,
      folder: channel.folder_id === null ? null : folderNames.get(channel.folder_id) ?? null,
      count: countOf(channel),
      isDefault: defaults.has(channel.id),
    }));
    return { page: { ...page, items }, isEmpty: known.length === 0 };
  },
  view: ({ data: { page, isEmpty } }) => {
    const { t, formatter, opens, user } = useTexts(null);
    if (isEmpty) {
      return (
        <EmptyState
          title={t(isAdmin(user) ? "There are no channels yet." : "You administer no channels yet.")}
        >
          {t("Create channels for teams, projects or announcements.")}{" "}
          {opens(NEW) && <Link class="link" href={NEW}>{t("Create channel")}</Link>}
        </EmptyState>
      );
    }
    return (
      <FilteredList
        of={LIST}
        page={page}
        isFaint={({ is_archived }) => is_archived}
        columns={[
          {
            title: t("Channel"),
            sort: "name",
            cell: ({ id, name, description, isDefault, is_archived }) => (
              <NamedItem
                path={`/admin/channels/${id}`}
                name={`#${name}`}
                marks={[
                  ...(isDefault ? [t("default")] : []),
                  ...(is_archived ? [t("archived")] : []),
                ]}
                description={description}
                width="max-w-[34rem]"
              />
            ),
          },
          {
            title: t("Type"),
            cell: (channel) => <span class="text-small">{t(CHANNEL_KIND_NAMES[kindOf(channel)])}</span>,
          },
          {
            title: t("Folder"),
            cell: ({ folder }) => <bdi class="min-w-0 break-words text-small">{folder ?? "–"}</bdi>,
          },
          {
            title: t("Subscribers"),
            isAtEnd: true,
            sort: "subscribers",
            isDescendingFirst: true,
            cell: ({ count }) => formatter.number(count),
          },
        ]}
      />
    );
  },
});

function isWanted(channel: ChannelRecord, { values: { kind, state } }: ListView): boolean {
  if (state !== "all" && channel.is_archived !== (state === "archived")) return false;
  if (kind === "web") return channel.is_web_public;
  if (kind === "private") return channel.invite_only;
  return kind === "" || (!channel.invite_only && !channel.is_web_public);
}
