export { playgroundsPage as handler } from "@/lib/admin/pages/playgrounds.tsx";
