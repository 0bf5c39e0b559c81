import { ResendPage } from "@/components/admin/invitations/AskPages.tsx";
import { adminPage } from "@/lib/admin/admin_page.ts";
import { resendPage } from "@/lib/admin/invitation_end_pages.ts";
import { define } from "@/lib/http/services.ts";

export const handler = adminPage(resendPage);

export default define.page<typeof handler>(({ data }) => <ResendPage {...data} />);
