import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { ChannelData } from "@/lib/admin/channels/channel_page.ts";
import { useAdmin } from "../admin_view.ts";
import { ConfirmPage } from "../ConfirmPage.tsx";

/** Renders the page that confirms archiving a channel. */
export function ArchiveChannelPage({ data, refused }: AdminPageData<ChannelData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.channels;
  const { messages: kept, writing, defaults, announcements, back } = text.archiveTexts;
  const lines = [
    writing,
    kept,
    ...(data.isDefault ? [defaults] : []),
    ...(data.isAnnouncements ? [announcements] : []),
  ];
  return (
    <ConfirmPage
      title={formatter.t(text.archiveTitle, { name: data.name })}
      above={[
        { path: "/admin/channels", name: text.title },
        { path: `/admin/channels/${data.id}`, name: `#${data.name}` },
      ]}
      action="archive"
      button={formatter.t(text.archiveButton, { name: data.name })}
      refused={refused}
    >
      {lines.map((line) => <p key={line}>{line}</p>)}
      <p class="text-soft">{back}</p>
    </ConfirmPage>
  );
}
