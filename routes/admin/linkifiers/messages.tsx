import { LinkifierTrialPage } from "@/components/admin/linkifiers/LinkifierTrialPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { linkifierTrialPage } from "@/lib/admin/linkifiers/linkifier_trial_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(linkifierTrialPage);

export default define.page<typeof handler>(({ data }) => <LinkifierTrialPage {...data} />);
