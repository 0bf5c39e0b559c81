import { ExportButton } from "@/components/admin/ActionButton.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { Link } from "@/components/Link.tsx";
import { listChannelFolders } from "@/lib/chat/channels/channel_folders.ts";
import { defaultChannelIds } from "@/lib/chat/channels/store.ts";
import { countSubscribers } from "@/lib/chat/channels/subscriptions/store.ts";
import { isAdmin } from "@/lib/chat/organization/users/model.ts";
import { PRIMARY_BUTTON } from "@/lib/ui/class_names.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { exportForm, FilteredList, NamedItem, readListView, toListPage } from "@/lib/admin/declare/list.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { always, ofMembership } from "@/lib/admin/events/shown_events.ts";
import { listShownChannels } from "@/lib/admin/shown_people.ts";
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

type Row = Awaited<ReturnType<typeof findChannels>>["rows"][number];

/** Finds the channels that the page's address asks for, in its order, and whether there are any at all. */
async function findChannels(request: AdminRequest) {
  const { chat, realm } = request;
  const view = readListView(LIST, request.query);
  const organization = await chat.readOrganization(realm.id);
  const [channels, folders, defaultIds] = await Promise.all([
    listShownChannels(request, { includeArchived: true }),
    listChannelFolders(chat, realm, { includeArchived: true }),
    defaultChannelIds.read(chat, realm.id),
  ]);
  const known = channels.filter(({ id }) => request.opens(`/admin/channels/${id}`));
  const search = view.search.trim().toLowerCase().replace(/^#/, "");
  const folderNames = new Map(folders.map(({ id, name }) => [id, name]));
  const defaults = new Set(defaultIds);
  const { kind, state } = view.values;
  const found = known.filter((channel) =>
    (state === "all" || channel.is_archived === (state === "archived")) &&
    (kind === "" || kind === (channel.invite_only ? "private" : kindOf(channel))) &&
    channel.name.toLowerCase().includes(search)
  ).map((channel) => ({
    ...channel,
    type: CHANNEL_KIND_NAMES[kindOf(channel)],
    folder: folderNames.get(channel.folder_id ?? 0) ?? "",
    count: countSubscribers(organization, channel.id),
    isDefault: defaults.has(channel.id),
  }));
  const ascending = view.sort === "name" ? found : found.toSorted((one, other) => one.count - other.count);
  const rows = view.isDescending ? ascending.toReversed() : ascending;
  return { view, rows, isEmpty: known.length === 0 };
}

const exportChannels = exportForm<Row>({
  name: "channels.csv",
  list: async (request) => (await findChannels(request)).rows,
  columns: {
    "Channel ID": ({ id }) => String(id),
    Name: ({ name }) => name,
    Description: ({ description }) => description,
    Type: ({ type }, { t }) => t(type),
    Folder: ({ folder }) => folder,
    Subscribers: ({ count }) => String(count),
    "Default channel": ({ isDefault }, { t }) => t(isDefault ? "Yes" : "No"),
    Status: ({ is_archived }, { t }) => t(is_archived ? "Archived" : "Active"),
  },
});

export const channelsPage = adminPage({
  path: LIST.path,
  title: LIST.title,
  find: { words: "streams rooms default private public retention privacy topics subscribers archive" },
  load: async (request) => {
    const { view, rows, isEmpty } = await findChannels(request);
    return { page: toListPage(view, rows), isEmpty };
  },
  lede: "Manage channels, and who can read and use them.",
  actions: ({ data: { isEmpty } }) => {
    const { t, opens } = useTexts(null);
    return (
      <>
        {!isEmpty && <ExportButton />}
        {opens(NEW) && <Link class={PRIMARY_BUTTON} href={NEW}>{t("Create channel")}</Link>}
      </>
    );
  },
  shows: { stream: always, subscription: ofMembership, default_streams: always, channel_folder: always },
  forms: [exportChannels],
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
            cell: ({ type }) => <span class="text-small">{t(type)}</span>,
          },
          {
            title: t("Folder"),
            cell: ({ folder }) => <bdi class="min-w-0 break-words text-small">{folder || "–"}</bdi>,
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
