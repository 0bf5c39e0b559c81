import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { FolderData } from "@/lib/admin/channel_folders/folder_page.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { AdminHeading } from "../AdminHeading.tsx";
import { ConfirmPage } from "../ConfirmPage.tsx";
import { CheckList } from "../fields.tsx";
import { formState } from "../form_state.ts";
import { Panel } from "../Panel.tsx";
import { FolderFields } from "./FolderFields.tsx";

const ABOVE = "/admin/channel-folders";

/** Renders the page of a channel folder: name, description and channels. */
export function FolderPage({ data, refused }: AdminPageData<FolderData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.folders;
  const save = formState(refused, "save");
  const channels = formState(refused, "channels");
  return (
    <>
      <AdminHeading
        title={formatter.t(text.editTitle, { name: data.name })}
        above={[{ path: ABOVE, name: text.title }]}
      />
      <Panel title={messages.common.name}>
        <AdminForm state={save} button={messages.common.save} hidden={{ seen: data.seen }}>
          <FolderFields state={save} stored={data} limits={data.limits} />
        </AdminForm>
      </Panel>
      {!data.isArchived && (
        <section class="max-w-[40rem]">
          <AdminForm state={channels} button={text.saveChannels}>
            <CheckList
              state={channels}
              name="channel"
              label={formatter.t(text.channelsTitle, { name: data.name })}
              hint={text.channelsHint}
              empty={text.noChannels}
              stored={data.channels.filter(({ isHere }) => isHere).map(({ id }) => String(id))}
              choices={data.channels.map(({ id, name, other }) => ({
                value: String(id),
                label: `#${name}`,
                note: other === null ? undefined : formatter.t(text.inOther, { name: other }),
              }))}
            />
          </AdminForm>
        </section>
      )}
    </>
  );
}

/** Renders the page that confirms archiving a folder. */
export function ArchiveFolderPage({ data, refused }: AdminPageData<FolderData>) {
  const { messages, formatter } = useAdmin();
  const count = data.channels.filter(({ isHere }) => isHere).length;
  return (
    <ConfirmPage
      title={formatter.t(messages.folders.archiveTitle, { name: data.name })}
      above={[{ path: ABOVE, name: messages.folders.title }]}
      action="archive"
      button={messages.folders.archiveButton}
      refused={refused}
    >
      <p>{formatter.t(messages.folders.archiveText, { count })}</p>
    </ConfirmPage>
  );
}
