import { NewBotPage } from "@/components/admin/bots/NewBotPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { newBotPage } from "@/lib/admin/bots/bot_pages.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(newBotPage);

export default define.page<typeof handler>(({ data }) => <NewBotPage {...data} />);
