import { RevertPage } from "@/components/admin/audit/RevertPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { revertPage } from "@/lib/admin/audit/revert_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(revertPage);

export default define.page<typeof handler>(({ data }) => <RevertPage {...data} />);
