import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { NewChannelData } from "@/lib/admin/channel_new_page.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { AdminHeading } from "../AdminHeading.tsx";
import { formState } from "../form_state.ts";
import { PermissionDetails } from "../permissions/PermissionPicker.tsx";
import { ChannelFields, type StoredChannel } from "./ChannelFields.tsx";
import { FirstSubscribers } from "./FirstSubscribers.tsx";

const ABOVE = "/admin/channels";
/** What a new channel starts with. */
const START: StoredChannel = {
  name: "",
  description: "",
  kind: "public",
  isDefault: false,
  folderId: null,
  topicsPolicy: "inherit",
  retention: { choice: "default", days: "" },
  canRead: true,
};

/** Makes a channel. */
export function NewChannelPage({ data, refused }: AdminPageData<NewChannelData>) {
  const { words } = useAdmin();
  const text = words.channels;
  const state = formState(refused, "create");
  return (
    <>
      <AdminHeading title={text.newTitle} lede={text.newLede} above={[{ path: ABOVE, name: text.title }]} />
      <AdminForm
        state={state}
        button={text.create}
        beside={<a class="link inline-flex min-h-11 items-center" href={ABOVE}>{words.common.cancel}</a>}
      >
        <div class="mb-3 grid gap-6">
          <ChannelFields state={state} choices={data.choices} stored={START} />
          <div class="border-t border-rule pt-5">
            <FirstSubscribers state={state} data={data} />
          </div>
          <PermissionDetails state={state} permissions={data.permissions} hint={text.permissionsHint} />
        </div>
      </AdminForm>
    </>
  );
}
