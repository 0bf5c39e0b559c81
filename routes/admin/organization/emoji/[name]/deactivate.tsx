import { DeactivateEmojiPage } from "@/components/admin/organization/EmojiPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { deactivateEmojiPage } from "@/lib/admin/organization/emoji_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(deactivateEmojiPage);

export default define.page<typeof handler>(({ data }) => <DeactivateEmojiPage {...data} />);
