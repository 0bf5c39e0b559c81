import { BotKeyPage } from "@/components/admin/bots/BotKeyPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { botKeyPage } from "@/lib/admin/bots/bot_pages.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(botKeyPage);

export default define.page<typeof handler>(({ data }) => <BotKeyPage {...data} />);
