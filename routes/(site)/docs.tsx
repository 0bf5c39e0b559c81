import { page } from "fresh";
import { ApiDocs } from "@/components/docs/ApiDocs.tsx";
import { hasSession } from "@/lib/api/page_session.ts";
import { methods } from "@/lib/api/methods.ts";
import { define } from "@/lib/services/services.ts";

export const handler = methods<boolean>({ GET: (ctx) => Promise.resolve(page(hasSession(ctx))) });

export default define.page<typeof handler>(({ data }) => <ApiDocs isSignedIn={data} />);
