import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { FolderData } from "@/lib/admin/folder_page.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { AdminHeading } from "../AdminHeading.tsx";
import { ConfirmPage } from "../ConfirmPage.tsx";
import { CheckList } from "../fields.tsx";
import { formState } from "../form_state.ts";
import { Panel } from "../Panel.tsx";
import { FolderFields } from "./FolderFields.tsx";

const ABOVE = "/admin/channel-folders";

/** One folder: its name and description, and the channels in it. */
export function FolderPage({ data, refused }: AdminPageData<FolderData>) {
  const { words, speech } = useAdmin();
  const text = words.folders;
  const save = formState(refused, "save");
  const channels = formState(refused, "channels");
  return (
    <>
      <AdminHeading
        title={speech.say(text.editTitle, { name: data.name })}
        above={[{ path: ABOVE, name: text.title }]}
      />
      <Panel title={words.common.name}>
        <AdminForm state={save} button={words.common.save} hidden={{ seen: data.seen }}>
          <FolderFields state={save} stored={data} limits={data.limits} />
        </AdminForm>
      </Panel>
      {!data.isArchived && (
        <section class="max-w-[40rem]">
          <AdminForm state={channels} button={text.saveChannels}>
            <CheckList
              state={channels}
              name="channel"
              label={speech.say(text.channelsTitle, { name: data.name })}
              hint={text.channelsHint}
              empty={text.noChannels}
              stored={data.channels.filter(({ isHere }) => isHere).map(({ id }) => String(id))}
              choices={data.channels.map(({ id, name, other }) => ({
                value: String(id),
                label: `#${name}`,
                note: other === null ? undefined : speech.say(text.inOther, { name: other }),
              }))}
            />
          </AdminForm>
        </section>
      )}
    </>
  );
}

/** Asks before a folder is archived. */
export function ArchiveFolderPage({ data, refused }: AdminPageData<FolderData>) {
  const { words, speech } = useAdmin();
  const count = data.channels.filter(({ isHere }) => isHere).length;
  return (
    <ConfirmPage
      title={speech.say(words.folders.archiveTitle, { name: data.name })}
      above={[{ path: ABOVE, name: words.folders.title }]}
      action="archive"
      button={words.folders.archiveButton}
      refused={refused}
    >
      <p>{speech.say(words.folders.archiveText, { count })}</p>
    </ConfirmPage>
  );
}
