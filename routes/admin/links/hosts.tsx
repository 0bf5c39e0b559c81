import { HostsPage } from "@/components/admin/links/HostsPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { hostsPage } from "@/lib/admin/links/hosts_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(hostsPage);

export default define.page<typeof handler>(({ data }) => <HostsPage {...data} />);
