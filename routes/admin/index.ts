// A path of one segment is a short link, unless a file is named for it.
export { overviewPage as handler } from "@/lib/admin/pages/overview.tsx";
