import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { ShownChannel } from "@/lib/admin/channels/channel_form.ts";
import type { NewChannelData } from "@/lib/admin/channels/channel_new_page.ts";
import { useAdmin } from "../admin_view.ts";
import { formState } from "../form_state.ts";
import { CreatePage } from "../permissions/CreatePage.tsx";
import { ChannelFields } from "./ChannelFields.tsx";
import { FirstSubscribers } from "./FirstSubscribers.tsx";

/** Default values of a new channel. */
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

/** Renders the form that creates a channel. */
export function NewChannelPage({ data, refused }: AdminPageData<NewChannelData>) {
  const { messages } = useAdmin();
  const text = messages.channels;
  const state = formState(refused, "create");
  return (
    <CreatePage
      list={{ path: "/admin/channels", name: text.title }}
      text={text}
      state={state}
      permissions={data.permissions}
    >
      <ChannelFields state={state} choices={data.choices} stored={{ ...START, isDefault: data.isFirst }} />
      <div class="border-t border-rule pt-5">
        <FirstSubscribers state={state} data={data} />
      </div>
    </CreatePage>
  );
}
