import { ClosingPage } from "@/components/admin/organization/ConfirmPages.tsx";
import { adminPage } from "@/lib/admin/admin_page.ts";
import { closingPage } from "@/lib/admin/organization_closing.ts";
import { define } from "@/lib/http/services.ts";

export const handler = adminPage(closingPage);

export default define.page<typeof handler>(({ data }) => <ClosingPage {...data} />);
