import { submitTheme } from "@/lib/admin/theme_form.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({ POST: submitTheme });
