import { NewFieldPage } from "@/components/admin/profile_fields/FieldPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { newFieldPage } from "@/lib/admin/profile_fields/profile_field_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(newFieldPage);

export default define.page<typeof handler>(({ data }) => <NewFieldPage {...data} />);
