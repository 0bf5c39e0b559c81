import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { ChannelData } from "@/lib/admin/channel_page.ts";
import { useAdmin } from "../admin_view.ts";
import { ConfirmPage } from "../ConfirmPage.tsx";

/** Asks before a channel is archived. */
export function ArchiveChannelPage({ data, refused }: AdminPageData<ChannelData>) {
  const { words, speech } = useAdmin();
  const text = words.channels;
  const { messages, writing, defaults, announcements, back } = text.archiveTexts;
  const lines = [
    writing,
    messages,
    ...(data.isDefault ? [defaults] : []),
    ...(data.isAnnouncements ? [announcements] : []),
  ];
  return (
    <ConfirmPage
      title={speech.say(text.archiveTitle, { name: data.name })}
      above={[
        { path: "/admin/channels", name: text.title },
        { path: `/admin/channels/${data.id}`, name: `#${data.name}` },
      ]}
      action="archive"
      button={text.archiveLink}
      refused={refused}
    >
      {lines.map((line) => <p key={line}>{line}</p>)}
      <p class="text-soft">{back}</p>
    </ConfirmPage>
  );
}
