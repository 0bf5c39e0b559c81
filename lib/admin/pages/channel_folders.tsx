import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { FAILED } from "@/lib/ui/texts.ts";
import SortableList from "@/islands/admin/SortableList.tsx";
import { ActionButton, ActionLink } from "@/components/admin/ActionButton.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { MoveButtons } from "@/components/admin/MoveButtons.tsx";
import { Panel } from "@/components/admin/Panel.tsx";
import { Link } from "@/components/Link.tsx";
import {
  channelFolderKeys,
  type ChannelFolderRecord,
  createChannelFolder,
  listChannelFolders,
  MAX_FOLDER_DESCRIPTION,
  MAX_FOLDER_NAME,
  reorderChannelFolders,
  updateChannelFolder,
} from "@/lib/chat/channels/channel_folders.ts";
import { updateChannel } from "@/lib/chat/channels/update_channel.ts";
import { type AdminRequest, pathId } from "../admin_request.ts";
import { listShownChannels } from "../shown_people.ts";
import { confirmPage } from "../declare/confirm.tsx";
import { nameFields, records } from "../declare/fields.tsx";
import { Form, form } from "../declare/form.tsx";
import { Table } from "@/components/admin/Table.tsx";
import { NamedItem } from "../declare/list.tsx";
import { orderForms } from "../declare/order.ts";
import { adminPage, useTexts } from "../declare/page.tsx";
import { always, ofPlace, ofSubject } from "../events/shown_events.ts";

const LIST = "/admin/channel-folders";

const texts = {
  emptyAdvice: "A folder groups related channels in everyone’s channel list. Create the first one above.",
  channelCount: { one: "{count} channel", other: "{count} channels" },
  restored: {
    one: "Folder {name} restored with {count} channel.",
    other: "Folder {name} restored with {count} channels.",
  },
  placed: { one: "{name} now has {count} channel.", other: "{name} now has {count} channels." },
  archiveText: {
    one:
      "Its {count} channel is kept outside of folders. If you restore the folder, the channel returns to it.",
    other:
      "Its {count} channels are kept outside of folders. If you restore the folder, those that are in no other folder return to it.",
  },
};

const fields = nameFields(
  { name: MAX_FOLDER_NAME, description: MAX_FOLDER_DESCRIPTION },
  "What the folder is for. Supports Markdown. Up to {count} characters.",
  { keepsBlanks: true },
);
const SHOWN_OF_FOLDER = { channel_folder: ofSubject, stream: always };

async function listFolders({ chat, realm }: AdminRequest) {
  return await listChannelFolders(chat, realm, { includeArchived: true });
}

async function findFolder(request: AdminRequest) {
  return (await listFolders(request)).find(({ id }) => id === pathId(request)) ?? null;
}

type Folder = Awaited<ReturnType<typeof listFolders>>[number];

const create = form({
  action: "create",
  button: "Create folder",
  fields,
  refusedAt: "name",
  run: async ({ chat, caller, t }, values) => {
    const { id, name } = await createChannelFolder(chat, caller, values);
    return { flash: t("Folder {name} created.", { name }), result: { id } };
  },
});

const order = orderForms({
  list: async (request) => (await listFolders(request)).filter(({ is_archived }) => !is_archived),
  save: async (request, ids) => {
    const archived = (await listFolders(request)).filter(({ is_archived }) => is_archived);
    await reorderChannelFolders(request.chat, request.caller, [...ids, ...archived.map(({ id }) => id)]);
  },
});

/** Reads a folder with the channels that return to it when it is restored. */
async function readRecord({ chat, realm }: AdminRequest, id: number) {
  return await chat.reads.read<ChannelFolderRecord>(channelFolderKeys.folder(realm.id, id));
}

async function update(
  { chat, caller }: AdminRequest,
  folderId: number,
  { is_archived, formerChannelIds }: { is_archived?: boolean; formerChannelIds: readonly number[] },
): Promise<void> {
  const changes = { name: undefined, description: undefined, is_archived };
  await updateChannelFolder(chat, caller, { folderId, changes, formerChannelIds });
}

const restore = form({
  action: "restore",
  run: async (request, _, submitted) => {
    const folderId = submitted.int("id") ?? 0;
    const { name = "", former_channel_ids: formerChannelIds = [] } = await readRecord(request, folderId) ??
      {};
    await update(request, folderId, { is_archived: false, formerChannelIds });
    const channels = (await listShownChannels(request, { includeArchived: true }))
      .filter(({ id, folder_id }) => folder_id === null && formerChannelIds.includes(id));
    for (const { id } of channels) await moveChannel(request, id, folderId);
    await update(request, folderId, { formerChannelIds: [] });
    const phrase = channels.length === 0 ? "Folder {name} restored without channels." : texts.restored;
    return { flash: request.t(phrase, { count: channels.length, name }) };
  },
});

export const foldersPage = adminPage({
  path: LIST,
  title: "Channel folders",
  lede: "Group related channels. All users see the folders in this order.",
  shows: { channel_folder: always, stream: ofPlace },
  load: async (request) => {
    const [folders, channels] = await Promise.all([listFolders(request), listShownChannels(request)]);
    const counts = Map.groupBy(channels, ({ folder_id }) => folder_id);
    const showsArchived = request.query.has("archived");
    const shown = folders.filter(({ is_archived }) => showsArchived || !is_archived);
    return {
      showsArchived,
      folders: shown.map((folder) => ({ ...folder, count: counts.get(folder.id)?.length ?? 0 })),
    };
  },
  forms: [create, ...order, restore],
  view: ({ data: { folders, showsArchived } }) => {
    const { text, t } = useTexts(texts);
    const movable = folders.filter(({ is_archived }) => !is_archived);
    return (
      <>
        <Panel title={t("New folder")}>
          <Form of={create} />
        </Panel>
        <section aria-labelledby="list-title">
          <div class="mb-2 flex flex-wrap items-baseline justify-between gap-x-6">
            <h2 id="list-title">{t("Folders")}</h2>
            <Link
              class="link inline-flex min-h-9 items-center text-small"
              href={showsArchived ? LIST : "?archived"}
            >
              {showsArchived ? t("Hide archived folders") : t("Show archived folders")}
            </Link>
          </div>
          {folders.length === 0
            ? <EmptyState title={t("There are no folders yet.")}>{text.emptyAdvice}</EmptyState>
            : (
              <Table
                caption={t("Folders")}
                items={folders}
                isFaint={({ is_archived }) => is_archived}
                isMovable={({ is_archived }) => movable.length > 1 && !is_archived}
                bodyId="folders"
                columns={[
                  {
                    title: t("Folder"),
                    cell: ({ id, name, description, is_archived }) => (
                      <NamedItem
                        path={`${LIST}/${id}`}
                        name={name}
                        marks={is_archived ? [t("archived")] : []}
                        description={description}
                        width="max-w-[60ch]"
                      />
                    ),
                  },
                  {
                    title: t("Channels"),
                    isClear: true,
                    cell: ({ count }) => t(text.channelCount, { count }),
                  },
                ]}
                actions={(folder) => (
                  <FolderActions
                    folder={folder}
                    isFirst={folder === movable[0]}
                    isLast={folder === movable.at(-1)}
                  />
                )}
              />
            )}
          {movable.length > 1 && <SortableList bodyId="folders" failed={t(FAILED)} undo={t("Undo")} />}
        </section>
      </>
    );
  },
});

/** Renders the actions of a folder; `ends` says whether it is the first or last one that can be moved. */
function FolderActions(
  { folder: { id, name, is_archived }, ...ends }: { folder: Folder; isFirst: boolean; isLast: boolean },
) {
  const { t } = useTexts(null);
  if (is_archived) {
    return (
      <ActionButton action={restore.action} fields={{ id: String(id) }} label={`${t("Restore")}: ${name}`}>
        {t("Restore")}
      </ActionButton>
    );
  }
  return (
    <>
      <MoveButtons id={id} name={name} {...ends} />
      <ActionLink href={`${LIST}/${id}`} about={name}>{t("Edit")}</ActionLink>
      <ActionLink href={`${LIST}/${id}/archive`} about={name}>{t("Archive")}</ActionLink>
    </>
  );
}

async function loadFolder(request: AdminRequest) {
  const [folders, channels] = await Promise.all([
    listFolders(request),
    listShownChannels(request, { includeArchived: true }),
  ]);
  const folder = folders.find(({ id }) => id === pathId(request));
  return folder === undefined ? null : {
    ...{ ...folder, folders, channels },
    /** Archived channels too: they leave an archived folder, as they can be restored. */
    inside: channels.filter(({ folder_id }) => folder_id === folder.id),
  };
}

const save = form({
  action: "save",
  button: "Save",
  fields,
  stored: async (request) => {
    const folder = await findFolder(request);
    return folder && { name: folder.name, description: folder.description };
  },
  refusedAt: "name",
  run: async (request, values) => {
    const changes = { ...values, is_archived: undefined };
    await updateChannelFolder(request.chat, request.caller, { folderId: pathId(request), changes });
    return { flash: request.t("Folder {name} saved.", { name: values.name }), to: LIST };
  },
});

const saveChannels = form({
  action: "channels",
  button: "Save channels",
  fields: {
    channel: records({
      label: "Channels in this folder",
      hint: "A channel can be in one folder only. Selecting it here removes it from its current folder.",
      empty: "There are no channels yet.",
    }),
  },
  run: async (request, { channel }) => {
    const folderId = pathId(request);
    const wanted = new Set(channel);
    for (const { id, folder_id } of await listShownChannels(request)) {
      if (wanted.has(id) !== (folder_id === folderId)) {
        await moveChannel(request, id, wanted.has(id) ? folderId : null);
      }
    }
    const name = (await findFolder(request))?.name ?? "";
    return { flash: request.t(texts.placed, { count: wanted.size, name }), to: LIST };
  },
});

async function moveChannel({ chat, caller }: AdminRequest, channelId: number, folder_id: number | null) {
  await updateChannel(chat, caller, { channelId, changes: { folder_id } });
}

/** The page of a folder: its name, description and channels. */
export const folderPage = adminPage({
  path: `${LIST}/[id]`,
  title: ({ name }, t) => t("Edit {name}", { name }),
  above: [foldersPage],
  shows: SHOWN_OF_FOLDER,
  load: loadFolder,
  forms: [save, saveChannels],
  view: ({ data: { name, description, is_archived, folders, channels, inside, id } }) => {
    const { t } = useTexts(null);
    const folderNames = new Map(folders.map((folder) => [folder.id, folder.name]));
    return (
      <>
        <Panel title={t("Name")}>
          <Form of={save} stored={{ name, description }} />
        </Panel>
        {!is_archived && (
          <Form
            of={saveChannels}
            look={QUIET_BUTTON}
            stored={{ channel: inside.map((channel) => channel.id) }}
            options={{
              channel: channels.filter((channel) => !channel.is_archived).map((channel) => {
                const other = channel.folder_id === id ? undefined : folderNames.get(channel.folder_id ?? 0);
                return {
                  id: channel.id,
                  name: `#${channel.name}`,
                  note: other === undefined ? undefined : t("now in {name}", { name: other }),
                };
              }),
            }}
          />
        )}
      </>
    );
  },
});

export const archiveFolderPage = confirmPage({
  path: `${LIST}/[id]/archive`,
  title: ({ name }, t) => t("Archive {name}?", { name }),
  above: [foldersPage],
  shows: SHOWN_OF_FOLDER,
  load: loadFolder,
  action: "archive",
  button: "Archive folder",
  view: ({ data: { inside: { length: count } } }) => {
    const { text, t } = useTexts(texts);
    return (
      <p>
        {count === 0
          ? t("It has no channels. You can restore it at any time.")
          : t(text.archiveText, { count })}
      </p>
    );
  },
  run: async (request, { id: folderId, name, inside }) => {
    // Stored before the channels move: archiving that was interrupted continues when it is confirmed again.
    const earlier = (await readRecord(request, folderId))?.former_channel_ids ?? [];
    const formerChannelIds = [...new Set([...earlier, ...inside.map((channel) => channel.id)])];
    await update(request, folderId, { formerChannelIds });
    for (const channel of inside) await moveChannel(request, channel.id, null);
    await update(request, folderId, { is_archived: true, formerChannelIds });
    return { flash: request.t("Folder {name} archived.", { name }) };
  },
});
