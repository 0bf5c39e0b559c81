export { hostsPage as handler } from "@/lib/admin/pages/links/hosts.tsx";
