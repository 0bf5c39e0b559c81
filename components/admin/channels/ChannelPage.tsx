import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { ChannelData } from "@/lib/admin/channels/channel_page.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { AdminHeading } from "../AdminHeading.tsx";
import { formState } from "../form_state.ts";
import { Panel } from "../Panel.tsx";
import { PermissionSection } from "../permissions/PermissionSection.tsx";
import { ChannelMembers } from "./ChannelMembers.tsx";
import { ChannelFields } from "./ChannelFields.tsx";
import { Link } from "../../Link.tsx";

const ABOVE = "/admin/channels";

/** Renders the page of a channel: settings, permissions and subscribers. */
export function ChannelPage({ data, refused }: AdminPageData<ChannelData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.channels;
  const save = formState(refused, "save");
  const facts = formatter.t(text.facts, {
    kind: text.kinds[data.kind],
    subscribers: formatter.t(text.subscriberCount, { count: data.members.count }),
  });
  return (
    <>
      <AdminHeading
        title={`#${data.name}`}
        above={[{ path: ABOVE, name: text.title }]}
        lede={facts}
        actions={data.isArchived
          ? undefined
          : <Link class={QUIET_BUTTON} href={`${ABOVE}/${data.id}/archive`}>{text.archiveLink}</Link>}
      />
      {data.isArchived && <Archived refused={refused} />}
      <Panel title={text.settingsTitle}>
        <AdminForm state={save} button={messages.common.save} hidden={{ seen: data.seen }}>
          <ChannelFields state={save} choices={data.choices} stored={data} />
        </AdminForm>
      </Panel>
      <PermissionSection
        permissions={data.permissions}
        refused={refused}
        about={
          <Link
            class="link inline-flex min-h-11 items-center text-small"
            href={`${ABOVE}/${data.id}/permissions`}
          >
            {messages.permissions.explain.channelLink}
          </Link>
        }
      />
      <ChannelMembers data={data} refused={refused} />
    </>
  );
}

function Archived({ refused }: Pick<AdminPageData<ChannelData>, "refused">) {
  const { messages } = useAdmin();
  return (
    <section class="mb-8 grid gap-3 border-y border-rule py-5">
      <p>{messages.channels.archivedNote}</p>
      <AdminForm state={formState(refused, "unarchive")} button={messages.channels.unarchive} />
    </section>
  );
}
