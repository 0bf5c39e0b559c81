export { deletePlaygroundPage as handler } from "@/lib/admin/pages/playgrounds.tsx";
