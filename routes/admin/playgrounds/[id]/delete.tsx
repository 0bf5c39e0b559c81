import { DeletePlaygroundPage } from "@/components/admin/playgrounds/PlaygroundsPage.tsx";
import { adminPage } from "@/lib/admin/admin_page.ts";
import { deletePlaygroundPage } from "@/lib/admin/playgrounds/playgrounds_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = adminPage(deletePlaygroundPage);

export default define.page<typeof handler>(({ data }) => <DeletePlaygroundPage {...data} />);
