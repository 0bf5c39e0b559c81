import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { ShownChannel } from "@/lib/admin/channel_form.ts";
import type { NewChannelData } from "@/lib/admin/channel_new_page.ts";
import { useAdmin } from "../admin_view.ts";
import { formState } from "../form_state.ts";
import { NewThingPage } from "../permissions/NewThingPage.tsx";
import { ChannelFields } from "./ChannelFields.tsx";
import { FirstSubscribers } from "./FirstSubscribers.tsx";

/** What a new channel starts with. */
const START: ShownChannel = {
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
    <NewThingPage
      list={{ path: "/admin/channels", name: text.title }}
      text={text}
      state={state}
      permissions={data.permissions}
    >
      <ChannelFields state={state} choices={data.choices} stored={START} />
      <div class="border-t border-rule pt-5">
        <FirstSubscribers state={state} data={data} />
      </div>
    </NewThingPage>
  );
}
