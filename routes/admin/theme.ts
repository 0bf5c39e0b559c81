import { submitTheme } from "@/lib/admin/theme_form.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({ POST: submitTheme });
