export { whoCanPage as handler } from "@/lib/admin/pages/organization/who_can.tsx";
