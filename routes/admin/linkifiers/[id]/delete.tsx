export { deleteLinkifierPage as handler } from "@/lib/admin/pages/linkifiers/linkifier.tsx";
