import SortableList from "@/islands/admin/SortableList.tsx";
import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { FoldersData, ListedFolder } from "@/lib/admin/channel_folders/folders_page.ts";
import { ActionButton, ActionLabel, ActionLink } from "../ActionButton.tsx";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { AdminHeading } from "../AdminHeading.tsx";
import { DataTable } from "../DataTable.tsx";
import { EmptyState } from "../EmptyState.tsx";
import { formState } from "../form_state.ts";
import { MoveButtons } from "../MoveButtons.tsx";
import { Panel } from "../Panel.tsx";
import { FolderFields } from "./FolderFields.tsx";
import { Link } from "../../Link.tsx";

/** Renders the list of channel folders, with controls to create and reorder them. */
export function FoldersPage({ data, refused }: AdminPageData<FoldersData>) {
  const { messages } = useAdmin();
  const text = messages.folders;
  return (
    <>
      <AdminHeading title={text.title} lede={text.lede} />
      <Panel title={text.newTitle}>
        <AdminForm state={formState(refused, "create")} button={text.create}>
          <FolderFields state={formState(refused, "create")} limits={data.limits} />
        </AdminForm>
      </Panel>
      <section aria-labelledby="list-title">
        <div class="mb-2 flex flex-wrap items-baseline justify-between gap-x-6">
          <h2 id="list-title">{text.listTitle}</h2>
          <Link
            class="link inline-flex min-h-9 items-center text-small"
            href={data.showsArchived ? "/admin/channel-folders" : "?archived"}
          >
            {data.showsArchived ? text.hideArchived : text.showArchived}
          </Link>
        </div>
        {data.folders.length === 0
          ? <EmptyState title={text.empty}>{text.emptyAdvice}</EmptyState>
          : <FolderTable folders={data.folders} />}
      </section>
    </>
  );
}

function FolderTable({ folders }: { folders: readonly ListedFolder[] }) {
  const { messages, formatter } = useAdmin();
  const text = messages.folders;
  const used = folders.filter(({ isArchived }) => !isArchived);
  const columns = [
    { title: text.folder },
    { title: text.channels, isClear: true },
    { title: messages.common.actions, isAtEnd: true, isClear: true, isWide: true },
  ];
  const rows = folders.map((folder) => ({
    id: String(folder.id),
    isFaint: folder.isArchived,
    isMovable: used.length > 1 && !folder.isArchived,
    cells: [
      <FolderName key="name" folder={folder} />,
      formatter.t(text.channelCount, { count: folder.channelCount }),
      <FolderActions
        key="actions"
        folder={folder}
        isFirst={folder === used[0]}
        isLast={folder === used.at(-1)}
      />,
    ],
  }));
  return (
    <>
      <DataTable caption={text.listTitle} columns={columns} rows={rows} bodyId="folders" />
      {used.length > 1 && <SortableList bodyId="folders" failed={messages.common.failed} />}
    </>
  );
}

function FolderName({ folder }: { folder: ListedFolder }) {
  const { messages } = useAdmin();
  return (
    <div class="min-w-0 text-start">
      <Link class="link font-strong break-words" href={`/admin/channel-folders/${folder.id}`}>
        <bdi>{folder.name}</bdi>
      </Link>
      {folder.isArchived && <span class="ms-2 text-small text-soft">{messages.folders.archivedMark}</span>}
      {folder.description !== "" && (
        <p dir="auto" class="line-clamp-2 max-w-[60ch] text-small break-words text-soft">
          {folder.description}
        </p>
      )}
    </div>
  );
}

interface FolderActionsProps {
  readonly folder: ListedFolder;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

function FolderActions({ folder, isFirst, isLast }: FolderActionsProps) {
  const { messages } = useAdmin();
  const { id, name } = folder;
  const fields = { id: String(id) };
  if (folder.isArchived) {
    return (
      <ActionLabel>
        <ActionButton action="restore" fields={fields} label={`${messages.common.restore}: ${name}`}>
          {messages.common.restore}
        </ActionButton>
      </ActionLabel>
    );
  }
  return (
    <ActionLabel>
      <MoveButtons id={id} name={name} isFirst={isFirst} isLast={isLast} />
      <ActionLink href={`/admin/channel-folders/${id}`} about={name}>{messages.common.edit}</ActionLink>
      <ActionLink href={`/admin/channel-folders/${id}/archive`} about={name}>
        {messages.common.archive}
      </ActionLink>
    </ActionLabel>
  );
}
