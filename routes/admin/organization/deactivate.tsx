export { closingPage as handler } from "@/lib/admin/pages/organization/confirmations.tsx";
