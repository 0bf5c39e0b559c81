import { FieldPage } from "@/components/admin/profile_fields/FieldPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { fieldPage } from "@/lib/admin/profile_fields/profile_field_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(fieldPage);

export default define.page<typeof handler>(({ data }) => <FieldPage {...data} />);
