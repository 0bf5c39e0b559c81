import { FieldsPage } from "@/components/admin/profile_fields/FieldsPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { fieldsPage } from "@/lib/admin/profile_fields/profile_fields_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(fieldsPage);

export default define.page<typeof handler>(({ data }) => <FieldsPage {...data} />);
