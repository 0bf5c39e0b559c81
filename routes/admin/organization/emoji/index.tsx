import { EmojiPage } from "@/components/admin/organization/EmojiPage.tsx";
import { adminPage } from "@/lib/admin/admin_page.ts";
import { emojiPage } from "@/lib/admin/emoji_page.ts";
import { define } from "@/lib/http/services.ts";

export const handler = adminPage(emojiPage);

export default define.page<typeof handler>(({ data }) => <EmojiPage {...data} />);
