import { NewBotPage } from "@/components/admin/bots/NewBotPage.tsx";
import { adminPage } from "@/lib/admin/admin_page.ts";
import { newBotPage } from "@/lib/admin/bots/bot_pages.ts";
import { define } from "@/lib/services/services.ts";

export const handler = adminPage(newBotPage);

export default define.page<typeof handler>(({ data }) => <NewBotPage {...data} />);
