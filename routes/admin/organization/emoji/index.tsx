import { EmojiPage } from "@/components/admin/organization/EmojiPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { emojiPage } from "@/lib/admin/organization/emoji_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(emojiPage);

export default define.page<typeof handler>(({ data }) => <EmojiPage {...data} />);
