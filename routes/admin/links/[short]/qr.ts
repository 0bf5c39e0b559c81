export { qrFile as handler } from "@/lib/admin/pages/links/link.tsx";
