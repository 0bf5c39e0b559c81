export { emojiPage as handler } from "@/lib/admin/pages/organization/emoji.tsx";
