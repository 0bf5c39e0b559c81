export { organizationPage as handler } from "@/lib/admin/pages/organization/organization.tsx";
