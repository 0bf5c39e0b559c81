import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { ChannelData } from "@/lib/admin/channel_page.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { AdminHeading } from "../AdminHeading.tsx";
import { formState } from "../form_state.ts";
import { Panel } from "../Panel.tsx";
import { PeopleList } from "../permissions/PeopleList.tsx";
import { PermissionSection } from "../permissions/PermissionSection.tsx";
import { ChannelFields } from "./ChannelFields.tsx";

const ABOVE = "/admin/channels";

/** One channel: its settings, who may do what there, and who is in it. */
export function ChannelPage({ data, refused }: AdminPageData<ChannelData>) {
  const { words, speech } = useAdmin();
  const text = words.channels;
  const save = formState(refused, "save");
  const facts = speech.say(text.facts, {
    kind: text.kinds[data.kind],
    subscribers: speech.say(text.subscriberCount, { count: data.subscriberCount }),
  });
  return (
    <>
      <AdminHeading
        title={`#${data.name}`}
        above={[{ path: ABOVE, name: text.title }]}
        lede={facts}
        actions={data.isArchived
          ? undefined
          : <a class={QUIET_BUTTON} href={`${ABOVE}/${data.id}/archive`}>{text.archiveLink}</a>}
      />
      {data.isArchived && <Archived refused={refused} />}
      <Panel title={text.settingsTitle}>
        <AdminForm state={save} button={words.common.save} hidden={{ seen: data.seen }}>
          <ChannelFields state={save} choices={data.choices} stored={data} />
        </AdminForm>
      </Panel>
      <PermissionSection permissions={data.permissions} refused={refused} />
      <Subscribers data={data} />
    </>
  );
}

function Archived({ refused }: Pick<AdminPageData<ChannelData>, "refused">) {
  const { words } = useAdmin();
  return (
    <section class="mb-8 grid gap-3 border-y border-rule py-5">
      <p>{words.channels.archivedNote}</p>
      <AdminForm state={formState(refused, "unarchive")} button={words.channels.unarchive} />
    </section>
  );
}

function Subscribers({ data }: Pick<AdminPageData<ChannelData>, "data">) {
  const { words, speech } = useAdmin();
  const text = words.channels;
  const { subscribers, subscriberCount, madeBy } = data;
  const date = speech.date(data.madeAt);
  return (
    <section aria-labelledby="subscribers-title">
      <h2 id="subscribers-title" class="mb-3">{text.subscribersTitle}</h2>
      {subscribers.length === 0 ? <p class="text-soft">{text.noSubscribers}</p> : (
        <PeopleList
          people={subscribers}
          more={subscriberCount - subscribers.length}
          moreWords={text.andMore}
        />
      )}
      <p class="mt-6 text-small text-soft">
        {madeBy === null
          ? speech.say(text.madeOn, { date })
          : speech.say(text.madeBy, { name: madeBy, date })}
      </p>
    </section>
  );
}
