import { PlaygroundsPage } from "@/components/admin/playgrounds/PlaygroundsPage.tsx";
import { adminPage } from "@/lib/admin/admin_page.ts";
import { playgroundsPage } from "@/lib/admin/playgrounds/playgrounds_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = adminPage(playgroundsPage);

export default define.page<typeof handler>(({ data }) => <PlaygroundsPage {...data} />);
