import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { GroupData } from "@/lib/admin/groups/group_page.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { AdminHeading } from "../AdminHeading.tsx";
import { formState } from "../form_state.ts";
import { Panel } from "../Panel.tsx";
import { PermissionSection } from "../permissions/PermissionSection.tsx";
import { GroupFields } from "./GroupFields.tsx";
import { GroupMembers } from "./GroupMembers.tsx";
import { Subgroups } from "./Subgroups.tsx";
import { GroupUses } from "./GroupUses.tsx";
import { Link } from "../../Link.tsx";

const ABOVE = "/admin/groups";

/** Renders the page of a group: name, members, subgroups, permissions and uses. */
export function GroupPage({ data, refused }: AdminPageData<GroupData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.groups;
  const save = formState(refused, "save");
  const direct = formatter.t(text.memberCount, { count: data.direct });
  const facts = data.inside.length === 0 ? direct : formatter.t(text.facts, { direct, all: data.all });
  return (
    <>
      <AdminHeading
        title={data.name}
        above={[{ path: ABOVE, name: text.title }]}
        lede={facts}
        actions={data.isDeactivated
          ? undefined
          : <Link class={QUIET_BUTTON} href={`${ABOVE}/${data.id}/deactivate`}>{text.deactivateLink}</Link>}
      />
      {data.isDeactivated && (
        <section class="mb-8 grid gap-3 border-y border-rule py-5">
          <p>{text.deactivatedNote}</p>
          <AdminForm state={formState(refused, "reactivate")} button={text.reactivate} />
        </section>
      )}
      {!data.canManage && <p class="mb-6 border-y border-rule py-4">{text.notYours}</p>}
      <Panel title={text.settingsTitle}>
        <AdminForm state={save} button={messages.common.save} hidden={{ seen: data.seen }}>
          <GroupFields state={save} stored={data} limits={data.limits} />
        </AdminForm>
      </Panel>
      <GroupMembers data={data} refused={refused} />
      <Subgroups data={data} refused={refused} />
      <PermissionSection permissions={data.permissions} refused={refused} />
      <section aria-labelledby="uses-title">
        <h2 id="uses-title" class="mb-3">{text.usesTitle}</h2>
        <GroupUses uses={data.uses} />
      </section>
    </>
  );
}
