import { methods } from "@/lib/api/methods.ts";
import { handler as settings } from "./index.ts";

export const handler = methods(settings.byMethod, { isOldName: true });
