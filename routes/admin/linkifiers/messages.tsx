export { linkifierTrialPage as handler } from "@/lib/admin/pages/linkifiers/trial.tsx";
